import Foundation

/// `image_server.py` on loopback, for as long as the object lives.
public final class ImageServer: Sendable {
    private let server: PythonServer

    public var port: Int { server.port }
    public var folder: String { server.folder.path }
    /// A file with its authority.
    public var authorities: String { folder + "/ca.pem" }

    public init() throws { server = try PythonServer("Tests/TestSupport/image_server.py") }

    public func url(_ path: String) -> String { "https://localhost:\(port)/\(path)" }

    /// Puts a file where it is served.
    public func serve(_ bytes: [UInt8], as name: String) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: folder + "/files/" + name))
        return url("files/" + name)
    }
}
