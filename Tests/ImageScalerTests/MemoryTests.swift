import CImageFixtures
import Foundation
import ImageScaler
import OpenerNSE
import TestSupport
import Testing

/// What decoding needs, measured of a process of its own. A sanitizer needs more, and skips these.
@Suite(.enabled(if: FileScaler.isAvailable), .serialized)
struct MemoryTests {
    /// 12 megapixels of the four types that are decoded row by row.
    static let photos = [
        fixture(fixture_jpeg, 4000, 3000, noise: 20), fixture(fixture_png, 4000, 3000, noise: 3),
        fixture(fixture_webp, 4000, 3000, noise: 10), fixture(fixture_gif, 4000, 3000, noise: 10),
    ]
    static let others = [
        fixture(fixture_png, 4000, 3000, hasAlpha: true, noise: 3), fixture(fixture_gif, 3464, 3464, hasAlpha: true),
        fixture(fixture_png_deep, 2000, 1500, hasAlpha: true, noise: 3), fixture(fixture_png_interlaced, 1400, 1000, noise: 9),
        fixture(fixture_gif_interlaced, 2000, 1500, noise: 9), fixture(fixture_jpeg_progressive, 2000, 1500, noise: 20),
        fixture(fixture_jpeg_scans, 2000, 1500, noise: 20), fixture(fixture_jpeg_inks, 2000, 1500, noise: 20),
        fixture(fixture_jpeg, 65_000, 120, noise: 20), fixture(fixture_png, 65_535, 100, hasAlpha: true, noise: 9),
        fixture(fixture_gif, 65_535, 100, noise: 9), fixture(fixture_webp, 16_383, 400, noise: 20),
        fixture(fixture_jpeg, 120, 65_000, noise: 20), fixture(fixture_webp_lossless, 1000, 800, noise: 20),
        fixture(fixture_webp_lossless, 2000, 1500, hasAlpha: true, noise: 20), fixture(fixture_webp, 1500, 1200, hasAlpha: true, noise: 20),
        fixture(fixture_jpeg, 8, 8), fixture(fixture_png, 1, 1),
    ]

    @Test(arguments: photos.indices)
    func under20MB(index: Int) throws {
        let folder = try ImageFolder()
        let answer = try Probe.run([Self.photos[index].write(folder), folder.path + "/out"])
        #expect(answer.words.first == "scaled", "\(answer.line)")
        #expect(answer.after < 20_000_000, "\(answer.line)")
        let estimate = try #require(answer.estimate)
        #expect(answer.growth <= estimate, "\(answer.line)")
        let picture = try Picture(String(answer.words[1]))
        #expect((picture.width, picture.height) == (1024, 768))
    }

    @Test(arguments: others.indices)
    func neverMoreThanPlanned(index: Int) throws {
        let folder = try ImageFolder()
        let answer = try Probe.run(["--force", Self.others[index].write(folder), folder.path + "/out"])
        #expect(answer.words.first == "scaled", "\(answer.line)")
        #expect(answer.growth <= (try #require(answer.estimate)), "\(answer.line)")
    }

    /// What no decoder does in the memory there is is known from the header.
    @Test(arguments: [fixture_jpeg_progressive, fixture_jpeg_scans, fixture_png_interlaced, fixture_webp_lossless, fixture_gif_interlaced])
    func knownBeforehand(kind: fixture_kind) throws {
        let folder = try ImageFolder()
        let answer = try Probe.run([fixture(kind, 4000, 3000).write(folder), folder.path + "/out"])
        #expect(answer.words == ["attachUnscaled(OpenerNSE.UnscaledReason.overBudget)"], "\(answer.line)")
        #expect(try #require(answer.estimate) > ImageLimits().decodingByteCount)
        #expect(answer.growth < 3_000_000)
        #expect(try folder.names == ["source"])
    }

    /// Mutated files in processes of their own: none crashes, needs more memory than planned, or takes long.
    @Test(arguments: DamageTests.kinds)
    func changed(kind: fixture_kind) throws {
        var random = RepeatableRandom.announced()
        let folder = try ImageFolder()
        let whole = try Array(Data(contentsOf: URL(fileURLWithPath: fixture(kind, 400, 300, noise: 20).write(folder))))
        for round in 0..<TestAmount.rounds(12, slow: 500) {
            var bytes = whole
            // Near the beginning is where the structure is.
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let reach = Bool.random(using: &random) ? min(200, bytes.count) : bytes.count
                bytes[Int.random(in: 0..<reach, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let path = try folder.file("changed", bytes)
            let answer = try Probe.run([path, "\(folder.path)/out\(round)"])
            if let estimate = answer.estimate, answer.words.first == "scaled" { #expect(answer.growth <= estimate) }
            #expect(answer.growth <= 12_000_000)
            #expect(answer.milliseconds < 20_000)
            if answer.words.first != "scaled" { #expect(try !folder.names.contains { $0.hasPrefix("out\(round).") }) }
        }
    }
}

/// Built without the libraries.
@Suite(.enabled(if: !FileScaler.isAvailable))
struct WithoutDecodersTests {
    @Test func saysSo() throws {
        let folder = try ImageFolder()
        let header = ImageHeader(type: .png, width: 10, height: 10)
        #expect(FileScaler().memory(for: header, longestSide: 1024) == nil)
        let order = ScalingOrder(
            path: "/none", header: header, outputStem: folder.path + "/out", longestSide: 40, budget: .seconds(30))
        #expect(throws: ImageFailure.noDecoder) { try FileScaler().scale(order) }
        #expect(ImagePlan(header, byteCount: 100, limits: ImageLimits(), scaler: FileScaler()) == .attachUnscaled(.noDecoder))
        let large = ImageHeader(type: .jpeg, width: 6000, height: 5000)
        #expect(ImagePlan(large, byteCount: 100, limits: ImageLimits(), scaler: FileScaler()) == .leaveOut(.noDecoder))
        #expect(try folder.names.isEmpty)
    }
}
