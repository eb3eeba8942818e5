import Foundation
import Testing

/// A process of `queue-worker`.
enum Worker {
    /// What it said until it ended.
    static func lines(_ folder: String, _ work: String, _ number: Int) throws -> [String] {
        let process = Process()
        process.executableURL = try program()
        process.arguments = [folder, work, String(number)]
        process.environment = ["SWIFT_BACKTRACE": "enable=no"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        try output.fileHandleForWriting.close()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// What stands behind a word.
    static func named(_ word: String, in lines: [String]) -> [String] {
        lines.compactMap { $0.hasPrefix(word + " ") ? String($0.dropFirst(word.count + 1)) : nil }
    }

    private static func program() throws -> URL {
        let folder = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let places =
            Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() } + [
                URL(fileURLWithPath: folder).deletingLastPathComponent()
            ]
        let found = places.map { $0.appendingPathComponent("queue-worker") }.first {
            FileManager.default.isExecutableFile(atPath: $0.path)
        }
        return try #require(found, "queue-worker is not built")
    }
}
