import EnvelopeFormat
import Foundation
import TestSupport
import Testing

@testable import OpenerNSE

/// Templates that the app replaces while notifications arrive, and what reading them costs.
@Suite struct TemplateReplacementTests {
    private static let executable: URL = {
        let runner = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return URL(fileURLWithPath: runner).deletingLastPathComponent().appendingPathComponent("template-probe")
    }()

    private func start(_ command: String, _ folder: TemplateFolder) throws -> (process: Process, output: FileHandle) {
        let (process, pipe) = (Process(), Pipe())
        process.executableURL = Self.executable
        process.arguments = [command, folder.directory.path]
        process.standardOutput = pipe
        try process.run()
        return (process, pipe.fileHandleForReading)
    }

    @Test func whatIsReplacedIsUsedFromTheNextOn() throws {
        let folder = try TemplateFolder()
        let templates = folder.templates("de")
        #expect(templates.text("a") == nil)
        for text in ["one", "two"] {
            try templates.write(Array("{\"a\":\"\(text)\"}".utf8), language: "de")
            #expect(templates.text("a") == text)
        }
        try templates.remove(language: "de")
        #expect(templates.text("a") == nil)
    }

    /// A thread and a process replace one file while others read it, and the process is killed as it writes: title and body are
    /// always there and always from one and the same file, and the file stays whole.
    @Test func oldOrNewAndNeverHalf() async throws {
        let folder = try TemplateFolder()
        let templates = folder.templates("de")
        let (process, output) = try start("write", folder)
        defer { kill(process.processIdentifier, SIGKILL) }
        #expect(String(decoding: output.availableData, as: UTF8.self) == "ready\n")

        let rounds = TestAmount.rounds(300, slow: 3_000)
        let seen = try await withThrowingTaskGroup(of: Set<String>.self) { group in
            group.addTask {
                for round in 0..<rounds / 3 {
                    let text = JSONValue.string("thread \(round)")
                    let filler = (0..<round % 8).map { JSONMember("filler \($0)", .string(String(repeating: "t", count: 4_000))) }
                    let json = JSONValue.object([JSONMember("title", text)] + filler + [JSONMember("body", text)])
                    try templates.write(json.write(), language: "de")
                    await Task.yield()
                }
                return []
            }
            for _ in 0..<2 {
                group.addTask {
                    var seen: Set<String> = []
                    let (title, body) = (LocalizedText(key: "title", arguments: []), LocalizedText(key: "body", arguments: []))
                    for round in 0..<rounds {
                        if round == rounds / 2 { kill(process.processIdentifier, SIGKILL) }
                        let texts = templates.texts(title: title, body: body)
                        #expect(texts.title != nil && texts.title == texts.body)
                        seen.insert(texts.title ?? "")
                        await Task.yield()
                    }
                    return seen
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.formUnion($1) }
        }
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal)
        #expect(seen.count > 1 && seen.allSatisfy { $0.hasPrefix("thread ") || $0.hasPrefix("process ") })
        #expect(try templates.refused().isEmpty)
    }

    /// The largest files there can be, of the most members and of the most depth, leave an extension room for all else.
    @Test(arguments: ["members", "plurals", "refused"]) func readingTakesLittleMemory(_ kind: String) throws {
        let folder = try TemplateFolder()
        var text = #"{"key":"x""#
        var number = 0
        while true {
            let key = String(number, radix: 36)
            let more =
                switch kind {
                case "members": ",\"\(key)\":\"x\""
                case "plurals": ",\"\(key)\":{\"other\":\"x\",\"one\":\"{count}\",\"few\":\"y\"}"
                default: number == 0 ? #","a":[[]"# : ",[]"
                }
            guard text.utf8.count + more.utf8.count + 2 <= TemplateFile.byteLimit else { break }
            text += more
            number += 1
        }
        try folder.put(text + (kind == "refused" ? "]}" : "}"), "notifications-de.json")
        // What is read after a refused one comes on top of it, were it kept.
        try folder.put(text + (kind == "refused" ? "]}" : "}"), "notifications.json")
        if kind == "refused" { try folder.put(#"{"key":"x"}"#, "notifications.json") }
        #expect(try folder.templates().refused().count == (kind == "refused" ? 1 : 0))

        let (process, output) = try start("render", folder)
        let answer = String(decoding: try output.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "\(answer)")
        let counts = answer.split { $0.isWhitespace }.compactMap { Int($0) }
        try #require(counts.count == 2)
        #expect(counts[1] - counts[0] < 2 << 10, "KiB: \(answer)")
        print("readingTakesLittleMemory(\(kind)): \(counts[1] - counts[0]) KiB")
    }
}
