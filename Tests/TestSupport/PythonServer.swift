public import Foundation

/// A server in Python with a folder of its own, which says its port in its first line and ends with its standard input: it lives as long
/// as the object.
public final class PythonServer: Sendable {
    public let port: Int
    public let folder: URL
    private let process = Process()
    private let input = Pipe()

    /// - Parameter script: from the project's root.
    public init(_ script: String) throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("waxwing-server-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", ProjectFolder.root.appendingPathComponent(script).path, folder.path]
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
        guard let port = Int(text.dropLast()) else { throw CocoaError(.fileReadUnknown) }
        self.port = port
    }

    deinit {
        // Signals that other tests hold back are held back in what they start.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }
}
