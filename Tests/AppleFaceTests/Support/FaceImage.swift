import CImageFixtures
import Foundation
import Testing

/// A real image for a test, in a folder of its own.
enum FaceImage {
    /// - Returns: the path of the file, whose name has no ending.
    static func make(
        _ kind: fixture_kind, _ width: UInt32, _ height: UInt32, hasAlpha: Bool = false, orientation: Int32 = 0
    ) throws -> String {
        let path = try TemporaryFile.folder().appendingPathComponent("image").path
        let fixture = fixture(
            kind: kind, width: width, height: height, has_alpha: hasAlpha ? 1 : 0, noise: 0, orientation: orientation, profile_length: 0)
        try withUnsafePointer(to: fixture) { try #require(fixture_write(path, $0) == 1) }
        return path
    }

    /// The pixels of a JPEG or PNG across and down.
    static func size(_ path: String) throws -> [UInt32] {
        var (width, height): (UInt32, UInt32) = (0, 0)
        free(try #require(fixture_read(path, &width, &height)))
        return [width, height]
    }
}
