import Testing

@testable import keyctl

@Suite struct CommandLineParserTests {
    private let parser = CommandLineParser(
        table: CommandTable(commands: [
            Command(
                "bundle", "print", options: [.device], example: "bundle --device d", role: .sealer, changesState: true
            ) { _ in .silent(.done) },
            Command(
                "bundle ack", "acknowledge", options: [.device, .sequence], example: "bundle ack", role: .sealer
            ) { _ in .silent(.done) },
            Command(
                "provision", "create",
                options: [.conversation, OptionSpec("device", "ID", "member", isRepeatable: true)],
                example: "provision", role: .sealer
            ) { _ in .silent(.done) },
            Command(
                "show", "show", arguments: [ArgumentSpec("CID", "name")], example: "show x", role: .any
            ) { _ in .silent(.done) },
            Command(
                "man", "manual", arguments: [ArgumentSpec("W", "words", isRequired: false, isRepeatable: true)],
                example: "man", role: .none
            ) { _ in .silent(.done) },
        ]))

    private func error(_ words: String...) -> CommandError? {
        do {
            _ = try parser.parse(words)
            return nil
        } catch {
            return error
        }
    }

    @Test func longestNameWins() throws {
        #expect(try parser.parse(["bundle", "--device", "d"]).path == ["bundle"])
        #expect(try parser.parse(["bundle", "ack", "--device", "d", "--seq", "1"]).path == ["bundle", "ack"])
    }

    @Test func valuesComeInThreeForms() throws {
        let parsed = try parser.parse([
            "provision", "--conversation=a=b", "--device", "x", "--device=y", "--device", "-",
        ])
        #expect(parsed.options["conversation"] == ["a=b"])
        #expect(parsed.options["device"] == ["x", "y", "-"])
    }

    @Test func globalOptionsMayComeFirst() throws {
        let parsed = try parser.parse(["--store", "dir", "--json", "show", "chat"])
        #expect(parsed.options["store"] == ["dir"])
        #expect(parsed.has("json"))
        #expect(parsed.arguments == ["chat"])
    }

    @Test func everythingAfterTwoDashesIsAnArgument() throws {
        #expect(try parser.parse(["show", "--", "--json"]).arguments == ["--json"])
        #expect(try parser.parse(["man", "--", "a", "--", "b"]).arguments == ["a", "--", "b"])
    }

    @Test func anArgumentEndsTheName() throws {
        #expect(try parser.parse(["man", "show", "bundle"]).arguments == ["show", "bundle"])
    }

    @Test func unknownOptionNamesTheNearest() {
        #expect(
            error("bundle", "--devise", "d")
                == .usage("bundle", "there is no option --devise", hint: "did you mean --device?"))
        #expect(
            error("bundle", "--zzzzzzz")
                == .usage("bundle", "there is no option --zzzzzzz", hint: "keyctl bundle --help"))
    }

    @Test func theValueOfAnUnknownOptionIsNotRepeated() {
        let message = error("bundle", "--passphrase=hunter2")?.message ?? ""
        #expect(message.contains("--passphrase") && !message.contains("hunter2"))
    }

    @Test func shortOptionsDoNotExist() {
        #expect(error("show", "-h", "chat")?.status == .usage)
    }

    @Test func aThumbprintMayBeginWithADash() throws {
        let thumbprint = "--" + String(repeating: "A", count: 41)
        #expect(try parser.parse(["show", "-3q2"]).arguments == ["-3q2"])
        #expect(try parser.parse(["show", thumbprint]).arguments == [thumbprint])
        #expect(try parser.parse(["bundle", "--device", thumbprint]).options["device"] == [thumbprint])
        #expect(try parser.parse(["bundle", "--device", "-3q2"]).options["device"] == ["-3q2"])
        #expect(error("bundle", "-3q2", "--device", "d")?.status == .usage)
    }

    @Test func unknownCommandNamesTheNearest() {
        #expect(error("provison")?.hint == "did you mean provision?")
        #expect(error("bundel", "ack")?.hint == "did you mean bundle?")
        #expect(error()?.status == .usage)
        #expect(error("qqqqqq")?.hint == "keyctl --help")
    }

    @Test func whatIsMissingIsNamed() {
        #expect(error("bundle")?.reason == "--device ID is missing")
        #expect(error("show")?.reason == "CID is missing")
        #expect(error("bundle", "--device")?.reason == "--device ID: the value is missing")
        #expect(error("bundle", "--device", "--json")?.reason == "--device ID: the value is missing")
    }

    @Test func whatIsTooMuchIsRefused() {
        #expect(error("show", "a", "b")?.status == .usage)
        #expect(error("bundle", "--device", "a", "--device", "b")?.reason == "--device is given twice")
        #expect(error("show", "--json=yes", "a")?.reason == "--json takes no value")
        #expect(error("show", "--dry-run", "a")?.status == .usage)
        #expect(error("--dry-run", "show", "a")?.reason == "there is no option --dry-run")
    }

    @Test func helpNeedsNothingElse() throws {
        #expect(try parser.parse(["bundle", "--help"]).has("help"))
        #expect(try parser.parse(["--help"]).path.isEmpty)
    }
}
