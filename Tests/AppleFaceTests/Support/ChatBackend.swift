import Foundation
import TestSupport

/// `chat_backend.py` on loopback, for as long as the object lives: what the example's app asks its own service.
final class ChatBackend: Sendable {
    let url: URL
    private let folder: URL
    private let process = Process()
    private let input = Pipe()

    init() throws {
        folder = try TemporaryFile.folder()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "python3", ProjectFolder.root.appendingPathComponent("Tests/AppleFaceTests/Support/chat_backend.py").path, folder.path,
        ]
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        try input.fileHandleForReading.close()
        var text = ""
        while !text.hasSuffix("\n") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { break }
            text += String(decoding: data, as: UTF8.self)
        }
        guard let port = Int(text.dropLast()), let url = URL(string: "http://127.0.0.1:\(port)/push") else {
            throw CocoaError(.fileReadUnknown)
        }
        self.url = url
    }

    deinit {
        // Signals that other tests hold back are held back in what they start.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Has a bundle wait for the phone.
    func offer(_ bundle: String) throws {
        try Data((bundle + "\n").utf8).write(to: folder.appendingPathComponent("bundles"))
    }

    /// What was asked, one line each: path, authorization, and what an acknowledgement says.
    func requests() throws -> [String] {
        try String(contentsOf: folder.appendingPathComponent("requests"), encoding: .utf8).split(separator: "\n").map(String.init)
    }
}
