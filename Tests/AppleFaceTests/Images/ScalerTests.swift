import CImageFixtures
import Foundation
import ImageScaler
import OpenerNSE
import Testing

@testable import OpenerNSEApple

/// What ImageIO is asked for; what it makes of it on a phone, and for how much memory, a phone has to say.
@Suite(.enabled(if: FileScaler.isAvailable, "built without decoders")) struct ScalerTests {
    private func order(_ path: String, _ change: (ImageHeader) -> ImageHeader = { $0 }) throws -> ScalingOrder {
        let header = try ImageHeaderReader.header(of: Array(try Data(contentsOf: URL(fileURLWithPath: path))))
        return ScalingOrder(
            path: path, header: change(header), outputStem: path + "-small", longestSide: 1_024, budget: .seconds(30))
    }

    @Test(arguments: [
        (fixture_jpeg, false), (fixture_png, false), (fixture_png, true), (fixture_gif, true), (fixture_webp, true),
        (fixture_webp, false),
    ]) func itIsSmallAndOfATypeThatEverySystemWrites(_ kind: fixture_kind, _ hasAlpha: Bool) throws {
        let source = try FaceImage.make(kind, 2_000, 1_000, hasAlpha: hasAlpha)
        let image = try ImageIOScaler().scale(try order(source))
        #expect(image.type == (hasAlpha ? .png : .jpeg) && image.unscaled == nil)
        #expect(image.path == "\(source)-small.\(image.type.fileExtension)")
        #expect(try FaceImage.size(image.path) == [1_024, 512])
        let bytes = try Data(contentsOf: URL(fileURLWithPath: image.path))
        #expect(bytes.range(of: Data("a secret place".utf8)) == nil)
    }

    @Test func itIsUprightAndNeverLarger() throws {
        let lying = try ImageIOScaler().scale(try order(try FaceImage.make(fixture_jpeg, 1_600, 800, orientation: 6)))
        #expect(try FaceImage.size(lying.path) == [512, 1_024])
        let small = try ImageIOScaler().scale(try order(try FaceImage.make(fixture_jpeg, 20, 10)))
        #expect(try FaceImage.size(small.path) == [20, 10])
    }

    @Test func whatIsNoImageOrCannotBeWrittenIsSaid() throws {
        let source = try FaceImage.make(fixture_jpeg, 20, 10)
        let header = try order(source).header
        func failure(_ path: String, _ stem: String, _ budget: Duration = .seconds(1)) -> ImageFailure? {
            do throws(ImageFailure) {
                _ = try ImageIOScaler().scale(
                    ScalingOrder(path: path, header: header, outputStem: stem, longestSide: 10, budget: budget))
                return nil
            } catch { return error }
        }
        #expect(failure(source + "-none", source + "-a") == .decoding)
        #expect(failure(source, source + "-none/a") == .storage)
        #expect(failure(source, source + "-a", .zero) == .timeout)
        let text = try TemporaryFile.make("text").path
        #expect(failure(text, source + "-a") == .decoding)
        let folder = URL(fileURLWithPath: source).deletingLastPathComponent().path
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["image"])
    }

    /// A photograph in one scan is scaled; what might be held whole is only where all of it is little.
    @Test(arguments: [
        (ImageHeader(type: .jpeg, width: 4_032, height: 3_024), true), (ImageHeader(type: .jpeg, width: 5_000, height: 5_000), true),
        (ImageHeader(type: .jpeg, width: 4_032, height: 3_024, traits: .severalScans, coefficientByteCount: 36_000_000), false),
        (ImageHeader(type: .heic, width: 4_032, height: 3_024), false), (ImageHeader(type: .png, width: 3_840, height: 2_160), false),
        (ImageHeader(type: .png, width: 400, height: 400, traits: .alpha), true),
        (ImageHeader(type: .gif, width: 500, height: 300), true), (ImageHeader(type: .webp, width: 4_032, height: 3_024), false),
    ]) func whatItMayCostDecidesBeforehand(_ header: ImageHeader, _ isScaled: Bool) throws {
        let plan = ImagePlan(header, byteCount: 2_000_000, limits: ImageLimits(), scaler: ImageIOScaler())
        if isScaled {
            guard case .scale(let byteCount) = plan else { return #expect(Bool(false), "\(plan)") }
            #expect(byteCount <= ImageLimits().decodingByteCount)
        } else {
            #expect(plan == .attachUnscaled(.overBudget))
        }
    }
}
