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
        while let line = try input.next() {
            switch line {
            case .text(let bytes): lines.append(String(decoding: bytes, as: UTF8.self))
            case .tooLong: lines.append("too long")
            }
        }
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

    /// Around the bound, around the room behind it, and many times as long.
    @Test(arguments: [-1, 0, 1, 65_535, 65_536, 65_537, 5 << 20])
    func aLineThatIsTooLongIsPassedOver(_ excess: Int) throws {
        let long = String(repeating: "x", count: LineInput.longestByteCount + excess)
        let expected = excess > 0 ? "too long" : long
        #expect(try lines(of: "a\n\(long)\nb\n\n\(long)\nc") == ["a", expected, "b", "", expected, "c"])
        #expect(try lines(of: "a\n\(long)") == ["a", expected])
        #expect(try lines(of: "\(long)\n") == [expected])
    }

    @Test func whatIsNotThereOrNoFileIsSaid() throws {
        #expect(throws: CommandError.self) { try LineInput("/nowhere/at/all") }
        let directory = try LineInput("/")
        #expect(throws: CommandError.self) { try directory.next() }
    }

    /// What waits for more ends when a signal comes that is held back; half a line is none.
    @Test func aHeldSignalEndsTheWaiting() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "waxwing-lines-\(UUID())").path
        try #require(mkfifo(path, 0o600) == 0)
        defer { unlink(path) }
        // It is open at this end too, so that the end of the input never comes.
        let writer = open(path, O_RDWR)
        defer { close(writer) }
        try #require(write(writer, "a\nb", 3) == 3)
        // On a thread of its own: the mask of signals is a thread's.
        await withCheckedContinuation { continuation in
            Thread {
                let held = HeldSignals()
                do {
                    let input = try LineInput(path)
                    #expect(try input.next() == .text([0x61]) && !input.isInterrupted)
                    pthread_kill(pthread_self(), SIGINT)
                    #expect(try input.next() == nil && input.isInterrupted)
                } catch { Issue.record(error) }
                held.forget()
                continuation.resume()
            }.start()
        }
    }
}
