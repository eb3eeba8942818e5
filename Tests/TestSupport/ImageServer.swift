import Foundation

/// `image_server.py` on loopback, for as long as the object lives.
public final class ImageServer: Sendable {
    public let port: Int
    public let folder: String
    private let process = Process()
    private let input = Pipe()

    /// A file with its authority.
    public var authorities: String { folder + "/ca.pem" }

    public init() throws {
        folder = NSTemporaryDirectory() + "waxwing-images-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        let script = ProjectFolder.root.appendingPathComponent("Tests/TestSupport/image_server.py").path
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", script, folder]
        process.standardInput = input
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        try input.fileHandleForReading.close()
        var text = ""
        while !text.hasSuffix("\n") {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { break }
            text += String(decoding: data, as: UTF8.self)
        }
        guard let port = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw CocoaError(.fileReadUnknown)
        }
        self.port = port
    }

    deinit {
        // Signals that other tests hold back are held back in what they start.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(atPath: folder)
    }

    public func url(_ path: String) -> String { "https://localhost:\(port)/\(path)" }

    /// Puts a file where it is served.
    public func serve(_ bytes: [UInt8], as name: String) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: folder + "/files/" + name))
        return url("files/" + name)
    }
}
