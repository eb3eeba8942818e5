import Foundation
import TestSupport

/// `chat_backend.py` on loopback, for as long as the object lives: what the example's app asks its own service.
final class ChatBackend: Sendable {
    let url: URL
    private let server: PythonServer

    init() throws {
        server = try PythonServer("Tests/AppleFaceTests/Support/chat_backend.py")
        guard let url = URL(string: "http://127.0.0.1:\(server.port)/push") else { throw CocoaError(.fileReadUnknown) }
        self.url = url
    }

    /// Has a bundle wait for the phone.
    func offer(_ bundle: String) throws {
        try Data((bundle + "\n").utf8).write(to: server.folder.appendingPathComponent("bundles"))
    }

    /// What was asked, one line each: path, authorization, and what an acknowledgement says.
    func requests() throws -> [String] {
        try String(contentsOf: server.folder.appendingPathComponent("requests"), encoding: .utf8).split(separator: "\n").map(String.init)
    }
}
