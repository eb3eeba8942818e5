import CImageFixtures
import Foundation
import ImageScaler
import OpenerNSE
import Testing

/// What comes out, pixel for pixel, against the mean that the definition gives.
@Suite(.enabled(if: FileScaler.isAvailable))
struct PixelTests {
    static let kinds: [(kind: fixture_kind, hasAlpha: Bool, tolerance: Double)] = [
        (fixture_jpeg, false, 12), (fixture_jpeg_progressive, false, 12), (fixture_jpeg_scans, false, 12),
        (fixture_jpeg_gray, false, 12), (fixture_jpeg_inks, false, 12), (fixture_png, false, 12), (fixture_png, true, 0.501),
        (fixture_png_interlaced, false, 12), (fixture_png_interlaced, true, 0.501), (fixture_png_deep, true, 0.501),
        (fixture_gif, false, 45),
        (fixture_gif, true, 0.501), (fixture_gif_interlaced, true, 0.501), (fixture_webp, false, 12), (fixture_webp, true, 12),
        (fixture_webp_lossless, false, 12), (fixture_webp_lossless, true, 7),
    ]

    @Test(arguments: kinds.indices, [(320, 213, 50), (97, 301, 64), (150, 100, 150), (51, 40, 64)])
    func isTheMean(index: Int, size: (width: Int, height: Int, longest: Int)) throws {
        let (kind, hasAlpha, tolerance) = Self.kinds[index]
        let folder = try ImageFolder()
        let source = fixture(kind, size.width, size.height, hasAlpha: hasAlpha)
        let image = try scaled(source.write(folder), folder, to: size.longest)
        #expect(image.type == (hasAlpha ? .png : .jpeg))
        #expect(image.path == "\(folder.path)/out.\(image.type.fileExtension)")
        #expect(image.unscaled == nil)
        let picture = try Picture(image.path)
        let longest = min(size.longest, max(size.width, size.height))
        #expect(max(picture.width, picture.height) == longest)
        let shorter = Double(min(size.width, size.height) * longest) / Double(max(size.width, size.height))
        #expect(abs(Double(min(picture.width, picture.height)) - shorter) <= 0.5)
        var total = 0.0
        var worst = 0.0
        for y in 0..<picture.height {
            for x in 0..<picture.width {
                let expected = source.mean(x, y, of: (picture.width, picture.height))
                let found = picture.pixel(x, y)
                for channel in 0..<4 {
                    // What cannot be seen has no colour.
                    if channel < 3, expected[3] < 30 { continue }
                    let difference = abs(found[channel] - expected[channel])
                    total += difference
                    worst = max(worst, difference)
                }
            }
        }
        #expect(worst <= tolerance)
        #expect(total / Double(picture.width * picture.height * 4) <= (tolerance < 1 ? 0.3 : 5))
    }

    @Test(arguments: 1...8)
    func isUpright(orientation: Int) throws {
        let folder = try ImageFolder()
        let stored = fixture(fixture_jpeg, 300, 200, orientation: orientation)
        let picture = try Picture(scaled(stored.write(folder), folder, to: 60).path)
        let isTurned = orientation >= 5
        #expect(picture.width == (isTurned ? 40 : 60))
        #expect(picture.height == (isTurned ? 60 : 40))
        // Where row 0 and column 0 of what is stored are seen, as EXIF's table has it: (at the top or bottom, at the left or right).
        let sides: [Int: (row: String, column: String)] = [
            1: ("top", "left"), 2: ("top", "right"), 3: ("bottom", "right"), 4: ("bottom", "left"),
            5: ("left", "top"), 6: ("right", "top"), 7: ("right", "bottom"), 8: ("left", "bottom"),
        ]
        let side = try #require(sides[orientation])
        for y in 0..<picture.height {
            for x in 0..<picture.width {
                func distance(_ side: String) -> Int {
                    switch side {
                    case "top": y
                    case "bottom": picture.height - 1 - y
                    case "left": x
                    default: picture.width - 1 - x
                    }
                }
                let expected = stored.mean(distance(side.column), distance(side.row), of: (60, 40))
                for channel in 0..<3 { #expect(abs(picture.pixel(x, y)[channel] - expected[channel]) <= 10) }
            }
        }
    }

    @Test(arguments: [fixture_jpeg, fixture_png], [false, true])
    func metadataIsDropped(kind: fixture_kind, hasAlpha: Bool) throws {
        let folder = try ImageFolder()
        let source = try fixture(kind, 80, 60, hasAlpha: hasAlpha, orientation: 6).write(folder)
        let secret = Data("a secret place".utf8)
        #expect(try Data(contentsOf: URL(fileURLWithPath: source)).range(of: secret) != nil)
        let result = try Data(contentsOf: URL(fileURLWithPath: scaled(source, folder, to: 40).path))
        #expect(result.range(of: secret) == nil)
        #expect(result.range(of: Data("Exif".utf8)) == nil)
    }

    /// Without its profile the colours of an image would be others; a very long one is not worth it.
    @Test(arguments: [
        (fixture_jpeg, 3000, true), (fixture_jpeg, 65_519, true), (fixture_jpeg, 70_000, false), (fixture_jpeg_inks, 9000, false),
    ])
    func profile(kind: fixture_kind, length: Int, isKept: Bool) throws {
        let folder = try ImageFolder()
        let source = try fixture(kind, 80, 60, profile: length).write(folder)
        let result = try Data(contentsOf: URL(fileURLWithPath: scaled(source, folder, to: 40).path))
        let found = result.range(of: Data("ICC_PROFILE\0\u{1}\u{1}pppppppppppppppp".utf8) + Data("RGB pppp".utf8))
        #expect((found != nil) == isKept)
        #expect((result.count > length) == isKept)
    }

    @Test func firstFrameOfWhatMoves() throws {
        let folder = try ImageFolder()
        let still = fixture(fixture_webp, 200, 100)
        let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: still.write(folder))))
        // The frame at (40, 20) of a picture of 300 by 200; a second frame that is not looked at.
        let frame = little(20, 3) + little(10, 3) + little(199, 3) + little(99, 3) + little(100, 3) + [0] + bytes[12...]
        let chunks =
            chunk("VP8X", [0x12, 0, 0, 0] + little(299, 3) + little(199, 3)) + chunk("ANIM", little(0, 6)) + chunk("ANMF", frame)
            + chunk("ANMF", frame)
        let path = try folder.file("moving", Array("RIFF".utf8) + little(chunks.count + 4, 4) + Array("WEBP".utf8) + chunks)
        let image = try scaled(path, folder, to: 150)
        #expect(image.type == .png)
        let picture = try Picture(image.path)
        #expect((picture.width, picture.height) == (150, 100))
        #expect(picture.pixel(0, 0)[3] == 0)
        #expect(picture.pixel(149, 99)[3] == 0)
        let middle = picture.pixel(70, 35)
        let expected = still.mean(50, 25, of: (100, 50))
        for channel in 0..<4 { #expect(abs(middle[channel] - expected[channel]) <= 12) }
    }

    private func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }

    private func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        Array(name.utf8) + little(content.count, 4) + content + (content.count % 2 == 1 ? [0] : [])
    }
}
