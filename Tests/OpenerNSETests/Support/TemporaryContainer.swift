import Foundation
import OpenerNSE

/// A directory of its own for a test, gone with the object.
final class TemporaryContainer: Sendable {
    let path: String
    let directory: ContainerDirectory

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("waxwing-container-\(UUID().uuidString)").path
        directory = try ContainerDirectory(path)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The names of what is in a directory in it, hidden files too.
    func names(in folder: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path + "/" + folder).sorted()
    }
}
