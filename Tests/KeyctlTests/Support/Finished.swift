import Foundation

/// What a program left when it was done.
struct Finished {
    /// Negative for a death by that signal.
    let status: Int32
    let output: Data
    let error: Data

    var outputText: String { String(decoding: output, as: UTF8.self) }
    var errorText: String { String(decoding: error, as: UTF8.self) }
    /// Without the empty ones.
    var outputLines: [String] { Self.lines(outputText) }
    var errorLines: [String] { Self.lines(errorText) }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n").map(String.init)
    }
}
