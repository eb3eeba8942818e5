import Foundation
import Testing

@testable import keyctl

@Suite struct CommandTableTests {
    private static let table = CommandTable.standard
    private static let names = table.commands.map(\.name)

    private func command(_ name: String) throws -> keyctl.Command {
        try #require(Self.table.commands.first { $0.name == name })
    }

    @Test func namesAreUnique() { #expect(Set(Self.names).count == Self.names.count) }

    @Test(arguments: names) func theExampleParses(_ name: String) throws {
        let command = try command(name)
        var words = ShellWords.split(command.example)
        if command.role != .none { #expect(words.contains("--store")) }
        let parsed = try CommandLineParser(table: Self.table).parse(words)
        #expect(parsed.path == command.path)
        words.append("--no-such-option")
        #expect(throws: CommandError.self) { try CommandLineParser(table: Self.table).parse(words) }
    }

    @Test(arguments: names) func helpSaysEverything(_ name: String) throws {
        let command = try command(name)
        let text = HelpText(table: Self.table, programName: "keyctl").text(for: command.path)
        #expect(text.contains("usage: keyctl \(name)"))
        #expect(text.contains("example:\n  keyctl \(command.example)"))
        for option in command.allOptions { #expect(text.contains("  \(option.shape)")) }
        for argument in command.arguments { #expect(text.contains(argument.name)) }
        #expect(!text.contains("  \n"))
        // What --quiet silences is said where it is told of.
        let details = command.details.joined()
        #expect(!details.contains("standard error") || details.contains("--quiet"))
    }

    @Test(arguments: names) func themanualHasAPage(_ name: String) throws {
        let command = try command(name)
        let page = ManualPage(table: Self.table, programName: "keyctl").page(of: command)
        for section in ["NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "EXAMPLE"] {
            #expect(page.contains(".SH \(section)\n"))
        }
        for option in command.allOptions {
            #expect(page.contains(option.name.replacingOccurrences(of: "-", with: "\\-")))
        }
        #expect(page.split(separator: "\n").allSatisfy { !$0.hasPrefix("'") })
    }

    @Test(arguments: names) func completionsKnowIt(_ name: String) throws {
        let command = try command(name)
        let path = "/" + command.path.joined(separator: "/")
        #expect(BashCompletion(table: Self.table).script().contains("'\(path)'"))
        #expect(ZshCompletion(table: Self.table).script().contains("'\(path)'"))
        #expect(FishCompletion(table: Self.table).script().contains("'__waxwing_at \(name)'"))
    }

    @Test func theStyleIsOne() {
        for command in Self.table.commands {
            #expect(command.summary.first?.isLowercase == true && !command.summary.hasSuffix("."))
            #expect(command.details.allSatisfy { $0.hasSuffix(".") || $0.hasSuffix("-") })
            for option in command.options { #expect(option.name.wholeMatch(of: /[a-z][a-z0-9]*(-[a-z0-9]+)*/) != nil) }
        }
    }

    @Test func noOptionTakesASecret() {
        let words = ["pass", "secret", "key", "token", "pin", "code", "phrase", "seed"]
        // What they take names where the secret is: a file that is made or read, and an open file's number.
        let places = ["file": ["FILE"], "fd": ["N"], "key": ["FILE"]]
        let options = Self.table.commands.flatMap(\.allOptions)
        let named = options.filter { option in option.value != nil && words.contains { option.name.contains($0) } }
        #expect(Set(named.map(\.name)).isSuperset(of: ["key-file", "new-key-file", "passphrase-fd", "backup-passphrase-fd"]))
        for option in named {
            let last = option.name.split(separator: "-").last.map(String.init) ?? ""
            #expect(places[last]?.contains(option.value ?? "") == true, "--\(option.name) \(option.value ?? "")")
        }
    }

    @Test func bashCompletes() throws {
        let place = try Workplace()
        let script = BashCompletion(table: Self.table).script()
        try place.write(
            script + "COMP_WORDS=(keyctl device e); COMP_CWORD=2; _waxwing; echo \"${COMPREPLY[@]}\"\n"
                + "COMP_WORDS=(keyctl provision --alg H); COMP_CWORD=3; _waxwing; echo \"${COMPREPLY[@]}\"\n"
                + "COMP_WORDS=(keyctl bundle --dev); COMP_CWORD=2; _waxwing; echo \"${COMPREPLY[@]}\"\n", to: "try.bash"
        )
        let finished = try place.run("bash try.bash")
        #expect(finished.outputLines == ["enroll", "HPKE-7", "--device"])
        #expect(finished.errorText.isEmpty)
    }

    @Test func theManualFormats() throws {
        let place = try Workplace()
        guard FileManager.default.isExecutableFile(atPath: "/usr/bin/groff") else { return }
        for name in [""] + Self.names {
            let finished = try place.run("keyctl man \(name) | groff -man -Tutf8 -ww -z >&2")
            #expect(finished.errorText.isEmpty && finished.status == 0)
        }
    }
}
