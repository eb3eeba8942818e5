import Foundation
import Testing

@testable import keyctl

/// Lines of a file of any length, a few in memory at a time.
@Suite struct LineInputTests {
    private func lines(of content: String) throws -> [String] {
        let path = FileManager.default.temporaryDirectory.appending(path: "waxwing-lines-\(UUID())").path
        try Data(content.utf8).write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let input = try LineInput(path)
        var lines: [String] = []
        while let line = try input.next() { lines.append(String(decoding: line, as: UTF8.self)) }
        return lines
    }

    @Test(arguments: [
        ("", []), ("\n", [""]), ("a", ["a"]), ("a\n", ["a"]), ("a\n\nb\r\nc", ["a", "", "b\r", "c"]),
    ]) func linesAreWhatIsBetweenNewlines(content: String, expected: [String]) throws {
        #expect(try lines(of: content) == expected)
    }

    @Test func linesThatSpanChunksAreWhole() throws {
        let expected = (0..<3_000).map { String(repeating: "\($0 % 10)", count: $0 * 7 % 211) + "-\($0)" }
        let long = String(repeating: "x", count: 200_000)
        #expect(try lines(of: (expected + [long]).joined(separator: "\n") + "\n") == expected + [long])
    }

    @Test func aLineWithoutEndIsRefused() throws {
        let error = #expect(throws: CommandError.self) {
            try lines(of: String(repeating: "x", count: LineInput.longestByteCount + 100_000))
        }
        #expect(error?.status == .badInput)
    }

    @Test func whatIsNotThereOrNoFileIsSaid() throws {
        #expect(throws: CommandError.self) { try LineInput("/nowhere/at/all") }
        let directory = try LineInput("/")
        #expect(throws: CommandError.self) { try directory.next() }
    }
}
