import CImageFixtures
import Foundation
import ImageScaler
import OpenerNSE
import Testing

/// A folder of a test, gone with it.
final class ImageFolder {
    let path = NSTemporaryDirectory() + "waxwing-images-\(UUID().uuidString)"

    init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() } }

    func file(_ name: String, _ bytes: [UInt8]) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
        return "\(path)/\(name)"
    }
}

extension fixture {
    init(
        _ kind: fixture_kind, _ width: Int, _ height: Int, hasAlpha: Bool = false, noise: Int = 0, orientation: Int = 0,
        profile: Int = 0
    ) {
        self.init(
            kind: kind, width: UInt32(width), height: UInt32(height), has_alpha: hasAlpha ? 1 : 0, noise: Int32(noise),
            orientation: Int32(orientation), profile_length: Int32(profile))
    }

    /// Writes it into a file of that name.
    func write(_ folder: ImageFolder, _ name: String = "source") throws -> String {
        let path = "\(folder.path)/\(name)"
        try withUnsafePointer(to: self) { try #require(fixture_write(path, $0) == 1) }
        return path
    }

    func pixel(_ x: Int, _ y: Int) -> [Double] {
        var pixel = [UInt8](repeating: 0, count: 4)
        withUnsafePointer(to: self) { fixture_pixel($0, UInt32(x), UInt32(y), &pixel) }
        return pixel.map(Double.init)
    }

    /// The mean over the area that a pixel of the smaller image stands for, by the definition: red, green, blue, alpha.
    func mean(_ x: Int, _ y: Int, of smaller: (width: Int, height: Int)) -> [Double] {
        let left = Double(x) * Double(width) / Double(smaller.width)
        let right = Double(x + 1) * Double(width) / Double(smaller.width)
        let top = Double(y) * Double(height) / Double(smaller.height)
        let bottom = Double(y + 1) * Double(height) / Double(smaller.height)
        var sum = [Double](repeating: 0, count: 4)
        for row in Int(top)..<Int(bottom.rounded(.up)) {
            for column in Int(left)..<Int(right.rounded(.up)) {
                let across = min(right, Double(column + 1)) - max(left, Double(column))
                let area = across * (min(bottom, Double(row + 1)) - max(top, Double(row)))
                guard area > 0 else { continue }
                let found = pixel(min(column, Int(width) - 1), min(row, Int(height) - 1))
                for channel in 0..<3 { sum[channel] += area * found[channel] * found[3] / 255 }
                sum[3] += area * found[3]
            }
        }
        let area = (right - left) * (bottom - top)
        return (0..<3).map { sum[3] == 0 ? 0 : sum[$0] * 255 / sum[3] } + [sum[3] / area]
    }
}

/// What was written, read by the library's own simple way.
struct Picture {
    let width: Int
    let height: Int
    private let pixels: [UInt8]

    init(_ path: String) throws {
        var width: UInt32 = 0
        var height: UInt32 = 0
        let found = try #require(fixture_read(path, &width, &height))
        defer { free(found) }
        self.width = Int(width)
        self.height = Int(height)
        pixels = Array(UnsafeBufferPointer(start: found, count: self.width * self.height * 4))
    }

    func pixel(_ x: Int, _ y: Int) -> [Double] { (0..<4).map { Double(pixels[(y * width + x) * 4 + $0]) } }
}

/// Reads the header and scales, whatever a plan would say.
func scaled(_ path: String, _ folder: ImageFolder, to longest: Int, name: String = "out") throws(ImageFailure) -> AttachedImage {
    let bytes = FileManager.default.contents(atPath: path).map(Array.init) ?? []
    let header: ImageHeader
    do { header = try ImageHeaderReader.header(of: bytes) } catch { throw error.failure }
    return try FileScaler().scale(
        ScalingOrder(
            path: path, header: header, outputStem: "\(folder.path)/\(name)", longestSide: longest, budget: .seconds(30)))
}
