import Foundation
import TestSupport
import Testing

/// `image-probe`, run once.
struct Probe {
    let line: String
    let estimate: Int?
    let before: Int
    let after: Int
    let milliseconds: Int
    /// What came of it.
    let words: [Substring]

    var growth: Int { after - before }

    /// Fails where the process ends otherwise than by itself.
    static func run(_ arguments: [String]) throws -> Probe {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        try #require(process.terminationReason == .exit && process.terminationStatus == 0, "\(arguments)")
        let line = String(decoding: output, as: UTF8.self).trimmingCharacters(in: .newlines)
        let words = line.split(separator: " ")
        try #require(words.count >= 5, "\(line)")
        return Probe(
            line: line, estimate: Int(words[0]), before: try #require(Int(words[1])), after: try #require(Int(words[2])),
            milliseconds: try #require(Int(words[3])), words: Array(words[4...]))
    }

    /// Beside the program of the tests, which is named in various ways.
    private static var program: URL {
        var folder = Bundle.main.bundleURL
        for argument in ProcessInfo.processInfo.arguments where argument.contains(".xctest") {
            let parts = argument.components(separatedBy: ".xctest")
            folder = URL(fileURLWithPath: parts[0]).deletingLastPathComponent()
        }
        return folder.appendingPathComponent("image-probe")
    }
}
