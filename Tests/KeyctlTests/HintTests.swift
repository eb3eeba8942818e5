import Foundation
import TestSupport
import Testing

@testable import keyctl

/// What a hint says to type works when it is typed: each is a command line, or says in plain words what to do.
@Suite struct HintTests {
    private static let table = CommandTable.standard

    /// Every text in the sources that names the program, with a word for whatever is filled in.
    private static let texts: [String] = {
        let sources = ProjectFolder.root.appendingPathComponent("Sources")
        let folders = ["KeyStore", "keyctl", "Sealer", "Simulator"].map { sources.appendingPathComponent($0) }
        var texts: [String] = []
        for file in folders.flatMap({ FileManager.default.enumerator(at: $0, includingPropertiesForKeys: nil)?.allObjects ?? [] }) {
            guard let file = file as? URL, file.pathExtension == "swift", file.lastPathComponent != "KernelKey.swift",
                let text = try? String(contentsOf: file, encoding: .utf8)
            else { continue }
            let filled = text.replacing(/\\\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/, with: "X").replacing(/"\s*\n\s*\+ "/, with: "")
            texts += filled.matches(of: /"([^"\n]*\bkeyctl [a-z-][^"\n]*)"/).map { String($0.output.1) }
        }
        return texts
    }()

    @Test func thereAreHints() { #expect(Self.texts.count > 25) }

    @Test(arguments: texts) func aCommandInAHintIsOneThatIsTaken(_ text: String) throws {
        for part in text.split(separator: "keyctl ", omittingEmptySubsequences: false).dropFirst() {
            let line = part.split(whereSeparator: { ",;|".contains($0) }).first.map(String.init) ?? ""
            var words = ShellWords.split(line)
            // Plain words name a command in passing: they give no argument of it.
            if line.hasPrefix("migrate what ") { words = ["migrate"] }
            // Filled in is what the command is that help is asked for.
            if words.first == "X" { words[0] = "status" }
            #expect(throws: Never.self, "\(line)") { try CommandLineParser(table: Self.table).parse(words) }
        }
    }

    @Test(arguments: [
        ("keyctl unlock", "waxctl unlock --store s"), ("to stop it: keyctl lock", "to stop it: waxctl lock --store s"),
        ("keyctl rotate --help", "waxctl rotate --help"), ("keyctl --help", "waxctl --help"), ("do so", "do so"),
        (
            "to go on: keyctl config set anchor none, repeat it; or keyctl device remove X",
            "to go on: waxctl config set --store s anchor none, repeat it; or waxctl device remove --store s X"
        ),
    ]) func theStoreIsNamed(_ hint: String, _ expected: String) {
        let named = HintCommands(programName: "waxctl", table: Self.table, store: "s")
        #expect(named.complete(hint) == expected)
        let unnamed = HintCommands(programName: "keyctl", table: Self.table, store: nil)
        #expect(unnamed.complete(hint) == hint)
        let odd = HintCommands(programName: "keyctl", table: Self.table, store: "it's one")
        #expect(odd.complete("keyctl unlock") == "keyctl unlock --store 'it'\\''s one'")
    }

    /// They are typed as they stand, the conversation's name being one that a shell would read otherwise.
    @Test func whatAHintSaysIsDone() throws {
        let stores = try TestStores()
        _ = try stores.ends("keyctl provision --store sealer --conversation 'a;b' --device $device", 0)
        for line in ["rotate --store sealer --rekey --conversation 'a;b'", "rotate --store sealer --rekey --conversation 'a;b'"] {
            _ = try stores.place.run("keyctl \(line) 2> hint")
        }
        try follow(stores, "keyctl rotate --conversation 'a;b' --rekey --restart")
        _ = try stores.ends("keyctl retire --store sealer --conversation 'a;b' 2> hint", 65)
        try follow(stores, "keyctl retire --conversation 'a;b' --force")
        _ = try stores.ends("keyctl destroy --store sealer --conversation 'a;b' 2> hint", 65)
        try follow(stores, "keyctl census 'a;b'")
        try follow(stores, "keyctl destroy --conversation 'a;b' --force")
    }

    /// A phone's key file is not recorded: who is told to unlock it is told to give it.
    @Test func aKeyFileThatIsNeededIsNamed() throws {
        let stores = try TestStores()
        _ = try stores.ends("keyctl init --store 'a phone' --role device --key-file 'a key'", 0)
        _ = try stores.ends("keyctl lock --store 'a phone' --restart", 0)
        for (variable, option) in [("", "--store 'a phone' "), ("WAXWING_STORE='a phone' ", "")] {
            let refused = try stores.ends("\(variable)keyctl rewrap \(option)--class-keys --key-file 'a key'", 77)
            #expect(refused.errorText.hasSuffix("\nkeyctl: hint: keyctl unlock \(option)--key-file FILE\n"), "\(refused.errorText)")
        }
        _ = try stores.ends("keyctl unlock --store 'a phone' --key-file 'a key'", 0)
        _ = try stores.ends("keyctl lock --store phone", 0)
        let refused = try stores.ends("keyctl rewrap --store phone --class-keys --passphrase-fd 3 3< passcode", 77)
        #expect(refused.errorText.hasSuffix("\nkeyctl: hint: keyctl unlock --store phone\n"))
    }

    /// The mode of a directory is changed for a store alone.
    @Test func aDirectoryThatIsNoStoreIsLeftAsItIs() throws {
        let stores = try TestStores()
        _ = try stores.ends("mkdir -m 755 other", 0)
        for directory in ["other", "/"] {
            let refused = try stores.ends("keyctl init --store \(directory) --role sealer --key-file other.key", 77)
            #expect(refused.errorText.hasSuffix("\nkeyctl: hint: name a directory that is not there yet\n"))
        }
        #expect(!(try stores.ends("keyctl status --store other", 69).errorText.contains("chmod")))
        #expect(!(try stores.ends("keyctl status --store sealer --verify --anchor /etc/passwd", 77).errorText.contains("chmod")))
        #expect(!(try stores.ends("keyctl unlock --store sealer --key-file /etc/passwd", 65).errorText.contains("chmod")))
        _ = try stores.ends("mv sealer 'a sealer'; chmod 755 'a sealer'", 0)
        let hint = try stores.ends("keyctl status --store 'a sealer'", 77).errorText
        let command = try #require(hint.firstMatch(of: /hint: (chmod .*)\n/)?.output.1)
        _ = try stores.ends("\(command) && keyctl status --store 'a sealer'", 0)
    }

    /// Without a file descriptor that is left nothing can be opened, which says nothing of what is there.
    @Test func aLackOfDescriptorsIsNoLostKeyFile() throws {
        let stores = try TestStores()
        var lacking = 0
        for limit in 4..<24 {
            let finished = try stores.place.run("ulimit -n \(limit); exec keyctl list --store sealer")
            #expect(!finished.errorText.contains("put it back"), "\(limit): \(finished.errorText)")
            if finished.errorText.contains("Too many open files") { lacking += 1 }
        }
        #expect(lacking > 0)
    }

    /// A directory that is somebody else's: no file is lost, and it is none itself.
    @Test(.enabled(if: geteuid() == 0, "needs the right to give a directory away"))
    func anAnchorsDirectoryIsNoAnchor() throws {
        let stores = try TestStores()
        _ = try stores.ends("mkdir volume; keyctl config set --store sealer anchor volume/anchor; chown 61001 volume", 0)
        for line in ["status --verify", "rotate --all"] {
            let refused = try stores.ends("keyctl \(line) --store sealer", 77).errorText
            #expect(refused.contains("put right what is wrong; or name another file: keyctl config set --store sealer anchor FILE\n"))
        }
        _ = try stores.ends("chown 0 volume; rm volume/anchor", 0)
        let lost = try stores.ends("keyctl status --store sealer --verify", 69).errorText
        let command = try #require(lost.firstMatch(of: /if it is lost: (.*); or name/)?.output.1)
        _ = try stores.ends("\(command) && keyctl status --store sealer --verify", 0)
    }

    /// - Parameter command: as it is without the store, one of those in the hint.
    private func follow(_ stores: TestStores, _ command: String) throws {
        let hint = String(decoding: try stores.place.read("hint"), as: UTF8.self)
        let commands = hint.split(separator: "\n").filter { $0.hasPrefix("keyctl: hint: ") }.flatMap { line in
            line.split(separator: "keyctl ").dropFirst().map { "keyctl " + $0.split(separator: "; ")[0] }
        }
        let typed = try #require(commands.first { $0.replacing(" --store sealer", with: "") == command }, "\(hint)")
        _ = try stores.ends(typed, 0)
    }
}
