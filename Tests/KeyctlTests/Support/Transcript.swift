import Foundation
import TestSupport

/// A session at a terminal that can be read as documentation and is run as a test.
///
/// - `# text` and empty lines are for the reader.
/// - `$ line` is given to the shell. `> line` continues a here-document of the line before.
/// - `! line` is expected on standard error, `? 66` is the expected exit code (0 if there is none).
/// - `@ schema-1 phone` puts that store of `Tests/Fixtures` into the folder before anything is run.
/// - `= unchanged` says that nothing in the folder has changed: no file, no row.
/// - `= refused` says that nothing has changed but the audit log, which has one entry more.
/// - `...` stands for any number of lines. Every other line is expected on standard output,
///   where empty lines do not count.
/// - `<kid one>` stands for any kid and calls it `$one` from then on; without a name it only has to look like one.
struct Transcript {
    /// One command, and what is expected of it.
    struct Step {
        var line: String
        /// Where it stands in the file.
        var number: Int
        var output: [String] = []
        var error: [String] = []
        var status: Int32 = 0
        var isUnchanged = false
        var isRefused = false
    }

    let name: String
    private(set) var steps: [Step] = []
    /// What is there from the start: the words after each `@`.
    private(set) var fixtures: [[String]] = []

    init(contentsOf url: URL) throws {
        let text = try String(contentsOf: url, encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        self.init(name: url.lastPathComponent, lines: zip(1..., lines))
    }

    /// Of lines with the numbers they have where they stand.
    init(name: String, lines: some Sequence<(Int, String)>) {
        self.name = name
        for (number, line) in lines {
            if line.hasPrefix("@ ") {
                fixtures.append(line.dropFirst(2).split(separator: " ").map(String.init))
            } else if line.hasPrefix("$ ") {
                steps.append(Step(line: String(line.dropFirst(2)), number: number))
            } else if line.isEmpty || line.hasPrefix("# ") || line == "#" || steps.isEmpty {
                continue
            } else {
                expect(line, of: &steps[steps.count - 1])
            }
        }
    }

    private func expect(_ line: String, of step: inout Step) {
        if line.hasPrefix("> ") {
            step.line += "\n" + line.dropFirst(2)
        } else if line.hasPrefix("! ") {
            step.error.append(String(line.dropFirst(2)))
        } else if line.hasPrefix("? ") {
            step.status = Int32(line.dropFirst(2)) ?? -1
        } else if line == "= unchanged" {
            step.isUnchanged = true
        } else if line == "= refused" {
            step.isRefused = true
        } else {
            step.output.append(line)
        }
    }

    /// All transcripts, in the order of their names; under a sanitizer without those in which a simulated extension has to stay
    /// within its memory.
    static var all: [URL] {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Transcripts")
        let files = (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
        return files.filter { $0.pathExtension == "transcript" && !(TestAmount.isSanitized && isOfMemory($0)) }
            .sorted { $0.path < $1.path }
    }

    private static func isOfMemory(_ file: URL) -> Bool {
        (try? String(contentsOf: file, encoding: .utf8))?.contains("keyctl simulate") ?? false
    }
}
