internal import FoundationEssentials

/// A folder of this run's own.
public struct TemporaryFolder {
    public let path: String

    public init() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "waxwing-benchmark-\(UUID())")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
        path = folder.path
    }

    public func remove() { try? FileManager.default.removeItem(atPath: path) }
}
