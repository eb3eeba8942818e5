import Foundation
import Testing

/// Bytes on the command line and in the environment that are no text.
@Suite struct GivenTextTests {
    /// Octal, for `printf`: a stray byte, one missing, an overlong form, half of a surrogate pair, past the last plane.
    private static let notText = [#"\377"#, #"a\303"#, #"\300\257"#, #"\355\240\200"#, #"\364\220\200\200"#]

    @Test(arguments: notText) func anArgumentIsRefused(_ bytes: String) throws {
        let place = try Workplace()
        for (line, number) in [
            ("init --role sealer --key-file key --store \"$(printf '\(bytes)')\"", 7),
            ("init --store=\"$(printf 's\(bytes)')\" --role sealer --key-file key", 2),
            ("--version \"$(printf '\(bytes)')\"", 2),
        ] {
            let finished = try place.run("keyctl \(line)")
            #expect(finished.status == 64)
            #expect(finished.errorText == "keyctl: error: argument \(number) is not UTF-8\n")
            #expect(finished.output.isEmpty)
        }
        #expect(try place.run("ls").outputText.isEmpty)
    }

    @Test(arguments: notText) func theStoreInTheEnvironmentIsRefused(_ bytes: String) throws {
        let place = try Workplace()
        let finished = try place.run(
            "WAXWING_STORE=\"$(printf '\(bytes)')\" keyctl init --role sealer --key-file key")
        #expect(finished.status == 64)
        #expect(finished.errorText == "keyctl: error: WAXWING_STORE is not UTF-8\n")
        #expect(try place.run("ls").outputText.isEmpty)
    }

    /// What the program was given is read there: without it a command line is not taken for an empty one.
    @Test(.enabled(if: Machine.isPossible, "needs namespaces of its own"))
    func withoutProcItSaysWhatIsMissing() throws {
        let place = try Workplace()
        for command in ["status", "lock", "init --role sealer --key-file key"] {
            let finished = try place.run("unshare --mount sh -c 'mount -t tmpfs none /proc; exec keyctl \(command) --store s'")
            #expect(finished.status == 69)
            #expect(finished.errorText.hasPrefix("keyctl: error: /proc/self/cmdline: the command line cannot be read\nkeyctl: hint: "))
        }
        #expect(try place.run("ls").outputText.isEmpty)
    }

    @Test func textOfAnyKindIsTaken() throws {
        let place = try Workplace()
        // The replacement character itself is text.
        let name = #"\357\277\275 \303\274 \360\237\207\250"#
        let line = "keyctl init --store \"$(printf '\(name)')\" --role sealer --key-file key --quiet"
        #expect(try place.run(line).status == 0)
        #expect(try place.run("WAXWING_STORE=\"$(printf '\(name)')\" keyctl status").status == 0)
    }
}
