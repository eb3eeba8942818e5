import CImageFixtures
import Foundation
import ImageScaler
import OpenerNSE
import TestSupport
import Testing

/// Files that are cut short, changed, or not what they say.
@Suite(.enabled(if: FileScaler.isAvailable))
struct DamageTests {
    static let kinds = [
        fixture_jpeg, fixture_jpeg_progressive, fixture_png, fixture_png_interlaced, fixture_gif, fixture_gif_interlaced,
        fixture_webp, fixture_webp_lossless,
    ]

    @Test(arguments: kinds)
    func cutShort(kind: fixture_kind) throws {
        let folder = try ImageFolder()
        let whole = try Array(Data(contentsOf: URL(fileURLWithPath: fixture(kind, 90, 70, noise: 20).write(folder))))
        // A GIF's last byte says that no further frame follows.
        let end = whole.count - (kind == fixture_gif || kind == fixture_gif_interlaced ? 1 : 0)
        let step = max(1, end / TestAmount.rounds(150, slow: 5000))
        for count in Array(stride(from: 0, to: end, by: step)) + [end - 1, end - 2, end - 3] {
            let path = try folder.file("cut", Array(whole.prefix(count)))
            #expect(throws: ImageFailure.self, "\(count) of \(whole.count) bytes") { try scaled(path, folder, to: 40) }
            #expect(try folder.names == ["cut", "source"])
        }
    }

    @Test func headerThatIsNotTheFiles() throws {
        let folder = try ImageFolder()
        for kind in Self.kinds {
            let path = try fixture(kind, 90, 70).write(folder, "source-\(kind.rawValue)")
            let bytes = try Array(Data(contentsOf: URL(fileURLWithPath: path)))
            let header = try ImageHeaderReader.header(of: bytes)
            for (width, height) in [(91, 70), (90, 69), (1, 1), (65_535, 65_535)] {
                let other = ImageHeader(type: header.type, width: width, height: height)
                let order = ScalingOrder(
                    path: path, header: other, outputStem: folder.path + "/out", longestSide: 40, budget: .seconds(30))
                #expect(throws: ImageFailure.decoding) { try FileScaler().scale(order) }
            }
        }
        #expect(try folder.names.allSatisfy { $0.hasPrefix("source-") })
    }

    @Test func otherRefusals() throws {
        let folder = try ImageFolder()
        let path = try fixture(fixture_png, 900, 700).write(folder)
        let header = ImageHeader(type: .png, width: 900, height: 700)
        func order(_ budget: Duration, _ path: String, _ header: ImageHeader) -> ScalingOrder {
            ScalingOrder(path: path, header: header, outputStem: folder.path + "/out", longestSide: 40, budget: budget)
        }
        #expect(throws: ImageFailure.timeout) { try FileScaler().scale(order(.zero, path, header)) }
        #expect(throws: ImageFailure.storage) { try FileScaler().scale(order(.seconds(9), path + "x", header)) }
        #expect(throws: ImageFailure.noDecoder) {
            try FileScaler().scale(order(.seconds(9), path, ImageHeader(type: .heic, width: 900, height: 700)))
        }
        #expect(try folder.names == ["source"])
        // What is there already is nobody's to write over.
        _ = try folder.file("out.part", [])
        #expect(throws: ImageFailure.storage) { try FileScaler().scale(order(.seconds(9), path, header)) }
        #expect(try folder.names == ["out.part", "source"])
    }
}
