import EnvelopeFormat
import Glibc
import OpenerNSE

/// A process of its own for the tests of templates.
///
/// `template-probe write DIRECTORY` replaces the templates of German until it or who started it is killed, and says a line after the first time;
/// `template-probe render DIRECTORY` renders a text by `key` in German and says how many KiB it had resident at most before and after.
@main
enum TemplateProbe {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { exit(64) }
        let templates = Templates(try ContainerDirectory(arguments[2]), languages: ["de"])
        switch arguments[1] {
        case "write": try write(templates)
        case "render": try render(templates)
        default: exit(64)
        }
    }

    private static func write(_ templates: Templates) throws {
        let starter = getppid()
        for round in 0... {
            // Nobody kills it any more where the tests themselves were killed.
            guard getppid() == starter else { exit(0) }
            // Few pages and many in turn, so that half a file would be one that can be seen.
            let filler = String(repeating: "p", count: round % 2 == 0 ? 10 : 4_000)
            let more = (0..<(round % 2 == 0 ? 1 : 7)).map { JSONMember("filler \($0)", .string(filler)) }
            let text = JSONValue.string("process \(round)")
            let json = JSONValue.object([JSONMember("title", text)] + more + [JSONMember("body", text)])
            try templates.write(json.write(), language: "de")
            if round == 0 { say("ready") }
        }
    }

    private static func render(_ templates: Templates) throws {
        let before = try residentAtMost()
        guard templates.texts(title: LocalizedText(key: "key", arguments: []), body: nil).title != nil else { exit(1) }
        say("\(before) \(try residentAtMost())")
    }

    private static func residentAtMost() throws -> Int {
        guard let file = fopen("/proc/self/status", "r") else { exit(71) }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let words = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).split { $0.isWhitespace }
            if words.first == "VmHWM:", words.count > 1, let count = Int(words[1]) { return count }
        }
        exit(71)
    }

    private static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        guard Glibc.write(STDOUT_FILENO, bytes, bytes.count) == bytes.count else { exit(74) }
    }
}
