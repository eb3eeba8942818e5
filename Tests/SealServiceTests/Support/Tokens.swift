import Foundation
import Testing

/// A file of tokens, made by the program, gone at the end.
final class Tokens {
    let path = "/tmp/sealerd-tokens-\(UUID().uuidString)"
    /// By name.
    private(set) var texts: [String: String] = [:]

    init(_ scopes: KeyValuePairs<String, [String]>) throws {
        for (name, scopes) in scopes {
            let process = Process()
            process.executableURL = RunningService.program
            process.arguments = ["token", "--file", path, "--name", name] + scopes.flatMap { ["--scope", $0] }
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            texts[name] = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).trimmingCharacters(
                in: .newlines)
            process.waitUntilExit()
            try #require(process.terminationStatus == 0)
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }
}
