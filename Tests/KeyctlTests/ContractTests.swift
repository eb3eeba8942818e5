import Foundation
import Testing

/// What every command promises, where it was not kept once.
@Suite struct ContractTests {
    @Test func theVersionIsADocumentToo() throws {
        let place = try Workplace()
        let object = try JSONSerialization.jsonObject(with: try place.run("keyctl --version --json").output)
        let members = try #require(object as? [String: String])
        #expect(members["program"] == "keyctl")
        #expect(try place.run("keyctl --version").outputText == "keyctl \(try #require(members["version"]))\n")
    }

    @Test func whatIsNotThereIsNamed() throws {
        let place = try Workplace()
        #expect(try place.run("keyctl man audit bogus").errorText.hasPrefix("keyctl: error: man: there is no command audit bogus\n"))
        #expect(try place.run("keyctl inspect ''").errorText == "keyctl: error: '': there is no such file\n")
    }

    /// An output that takes nothing more: the command is done, and is not to be repeated because of it.
    @Test(arguments: [
        "lock --store sealer", "rewrap --store sealer --new-key-file other", "rotate --store sealer --conversation chat",
        "audit checkpoint --store sealer",
    ]) func whatIsDoneIsSaidToBeWhereItCannotBePrinted(_ line: String) throws {
        let stores = try TestStores()
        #expect(!(try stores.ends("keyctl \(line) --dry-run > /dev/full", 74).errorText.contains("is done")))
        let done = "; what was to be done is done, and only its result is not printed\n"
        #expect(try stores.ends("keyctl \(line) > /dev/full", 74).errorText.hasSuffix(done))
        #expect(!(try stores.ends("keyctl status --store sealer > /dev/full", 74).errorText.contains("is done")))
    }

    @Test func aRefusalByTheCensusPrintsIt() throws {
        let stores = try TestStores()
        let census = try stores.ends("keyctl census --store sealer chat", 0).outputText
        let refused = try stores.ends("keyctl retire --store sealer --conversation chat", 65).outputText
        #expect(refused.split(separator: "\n").dropFirst() == census.split(separator: "\n").dropFirst())
        let document = try stores.ends("keyctl retire --store sealer --conversation chat --json --dry-run", 65).output
        let members = try #require(try JSONSerialization.jsonObject(with: document) as? [String: Any])
        #expect(members["conversation"] as? String == "chat" && members["secrets"] != nil)
        _ = try stores.ends("keyctl retire --store sealer --conversation chat --force", 0)
        #expect(try stores.ends("keyctl destroy --store sealer --conversation chat", 65).outputText.contains("not to be destroyed yet:"))
        // What is refused for another reason has nothing to do with it.
        #expect(try stores.ends("keyctl retire --store sealer --conversation chat", 65).output.isEmpty)
        #expect(try stores.ends("keyctl retire --store sealer --conversation nobody", 66).output.isEmpty)
    }

    @Test func aRawKeyGoesToATerminalByForceAlone() throws {
        let stores = try TestStores()
        let line = "keyctl split export --store sealer --conversation legacy --output -"
        let refused = try shown(line, stores)
        #expect(refused.contains("is a terminal, where a raw key stays readable") && !refused.contains("\"k\""))
        #expect(try shown("\(line) --force", stores).contains("\"k\""))
        #expect(!(try stores.ends("\(line) --dry-run", 0).outputText.contains("\"k\"")))
    }

    /// All that a line shows on a terminal.
    private func shown(_ line: String, _ stores: TestStores) throws -> String {
        let terminal = try PseudoTerminal("exec \(line)", in: stores.place)
        let shown = terminal.shown(until: "\u{0}")
        _ = terminal.end()
        return shown
    }

    /// Whoever holds the keys is told of, and nobody where nobody does.
    @Test func theHolderIsTheOneThatHolds() throws {
        let stores = try TestStores()
        _ = try stores.ends("keyctl lock --store phone --restart", 0)
        #expect(try stores.ends("keyctl status --store phone", 0).outputText.contains("\nbefore-first-unlock\n"))
        #expect(try stores.ends("keyctl status --store phone --json", 0).outputText.contains(#""session_holder":null"#))
        _ = try stores.ends("WAXWING_SESSION_HOLDER=agent keyctl unlock --store phone --passphrase-fd 3 3< passcode", 0)
        #expect(try stores.ends("keyctl status --store phone", 0).outputText.contains("\nunlocked, keys held by agent\n"))
        _ = try stores.ends("keyctl lock --store phone", 0)
        #expect(try stores.ends("keyctl status --store phone", 0).outputText.contains("\nlocked, keys held by agent\n"))
        #expect(try stores.ends("keyctl status --store sealer", 0).outputText.contains("\nunlocked, keys held by key file\n"))
    }
}
