import Foundation
import Testing

/// Passphrases from a terminal and from file descriptors.
@Suite struct PassphraseTests {
    private static let initialize = "keyctl init --store phone --role device --argon2id 1,8 --quiet"

    @Test func aNewOneIsAskedForTwiceWithoutEcho() throws {
        let place = try Workplace()
        let terminal = try PseudoTerminal("exec \(Self.initialize)", in: place)
        #expect(terminal.shown(until: "passphrase: ").hasSuffix("passphrase: "))
        #expect(!terminal.echoes)
        terminal.type("open sesame\n")
        #expect(terminal.shown(until: "again: ").hasSuffix("the same again: "))
        terminal.type("open sesame\n")
        let rest = terminal.shown(until: "enrolled anew")
        #expect(!rest.contains("sesame"))
        #expect(terminal.echoes)
        #expect(terminal.end() == 0)
        try place.write("open sesame", to: "passphrase")
        #expect(try place.run("keyctl unlock --store phone --passphrase-fd 5 5< passphrase").status == 0)
    }

    @Test func twoThatDifferMakeNoStore() throws {
        let place = try Workplace()
        let terminal = try PseudoTerminal("exec \(Self.initialize)", in: place)
        _ = terminal.shown(until: "passphrase: ")
        terminal.type("one\n")
        _ = terminal.shown(until: "again: ")
        terminal.type("two\n")
        #expect(terminal.shown(until: "not the same").contains("keyctl: error: passphrase: the two are not the same"))
        #expect(terminal.end() == 65)
        #expect(try place.run("ls").outputText.isEmpty)
    }

    @Test func anInterruptPutsTheEchoBack() throws {
        let place = try Workplace()
        let terminal = try PseudoTerminal("exec \(Self.initialize)", in: place)
        _ = terminal.shown(until: "passphrase: ")
        #expect(!terminal.echoes)
        terminal.type("half a passphr\u{3}")
        _ = terminal.shown(until: "\n")
        #expect(terminal.end() == -SIGINT)
        #expect(terminal.echoes)
        #expect(try place.run("ls").outputText.isEmpty)
    }

    /// The shell that a stop leads back to has its echo, and the prompt is there again without it.
    @Test func aStopPutsTheEchoBackAndGoingOnTakesItAway() throws {
        let place = try Workplace()
        let script = "set -m; \(Self.initialize); echo back in the 'shell'; read word; fg > job"
        let terminal = try PseudoTerminal(script, in: place)
        _ = terminal.shown(until: "passphrase: ")
        #expect(!terminal.echoes)
        terminal.type("\u{1A}")
        #expect(terminal.shown(until: "in the shell").contains("in the shell"))
        #expect(terminal.echoes)
        terminal.type("go\n")
        #expect(terminal.shown(until: "passphrase: ").hasSuffix("passphrase: "))
        #expect(!terminal.echoes)
        terminal.type("open sesame\n")
        _ = terminal.shown(until: "again: ")
        terminal.type("open sesame\n")
        let rest = terminal.shown(until: "enrolled anew")
        #expect(!rest.contains("sesame") && terminal.end() == 0 && terminal.echoes)
    }

    @Test func aDescriptorIsReadUpToANewline() throws {
        let place = try Workplace()
        try place.write("open sesame\nand more\n", to: "passphrase")
        let made = try place.run("\(Self.initialize) --passphrase-fd 3 3< passphrase")
        #expect(made.status == 0)
        try place.write("open sesame", to: "exact")
        #expect(try place.run("keyctl unlock --store phone --passphrase-fd 0 < exact").status == 0)
        try place.write("open sesame\r\n", to: "other")
        #expect(try place.run("keyctl unlock --store phone --passphrase-fd 0 < other").status == 77)
        // What follows the newline is left for whoever reads next.
        let rest = try place.run(
            "{ keyctl unlock --store phone --passphrase-fd 3 > /dev/null; cat <&3; } 3< passphrase")
        #expect(rest.outputText == "and more\n")
    }

    @Test(arguments: [("1", 64), ("2", 64), ("9", 64), ("-1", 64), ("three", 64), ("3", 65)] as [(String, Int32)])
    func descriptorsThatAreNone(_ number: String, _ status: Int32) throws {
        let place = try Workplace()
        let finished = try place.run("\(Self.initialize) --passphrase-fd \(number) 3< /dev/null")
        #expect(finished.status == status)
        #expect(try place.run("ls").outputText.isEmpty)
    }

    @Test func anEndlessOneIsRefused() throws {
        let place = try Workplace()
        let finished = try place.run("\(Self.initialize) --passphrase-fd 3 3< /dev/zero")
        #expect(finished.status == 65)
        #expect(finished.errorText == "keyctl: error: passphrase: is longer than 1024 bytes\n")
    }
}
