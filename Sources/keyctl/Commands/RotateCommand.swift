import BackendJSON
import EnvelopeFormat
import KeyStore

/// `rotate`: the next epoch, or with `--rekey` a fresh secret.
enum RotateCommand {
    static let row = Command(
        "rotate", "step a conversation's secret to the next epoch, or issue a fresh one; print the kid",
        details: [
            "Without --rekey the secret is ratcheted: active at once, devices follow by themselves, nothing is "
                + "delivered. With --rekey a fresh secret waits until every member acknowledged its bundle; a second "
                + "one is refused unless --restart, which destroys the one in waiting.",
            "--all does it for every conversation, some hundred in a transaction, and sealing goes on meanwhile. How far "
                + "it has come is recorded: a run that was interrupted is taken up where it was by the same command "
                + "within a day, and later begun anew. Two at once share the work. A conversation that cannot be "
                + "rotated is reported and stops none of the others; --dry-run shows the first 1000.",
            "What --all passes over is counted at the end, unless --quiet, and named with --verbose: what is retired or has no member, what "
                + "is suspended, and without --rekey split keys. A --rekey that did not reach what is suspended, or has "
                + "one waiting already, ends with 65; with --restart it replaces what waits.",
        ],
        options: [
            OptionSpec("conversation", "CID", "the conversation's name"),
            OptionSpec("all", nil, "every conversation"),
            OptionSpec("older-than", "SPAN", "with --all: whose epoch is at least this old, as 30d, 12h, 45m, 10s"),
            OptionSpec("rekey", nil, "a fresh secret, delivered by bundles"),
            OptionSpec("restart", nil, "with --rekey: destroy the secret in waiting and begin again"),
            OptionSpec("promote-after", "SPAN", "with --rekey: promote after this time in any case"),
        ],
        example: "rotate --store sealer --conversation chat-1 --rekey --promote-after 7d", role: .sealer,
        changesState: true, run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        let promoteAfter = try invocation.timeSpan("promote-after")
        for name in ["restart", "promote-after"] where invocation.has(name) && !invocation.has("rekey") {
            throw invocation.usage("--\(name) needs --rekey")
        }
        guard invocation.has("all") != invocation.has("conversation") else {
            throw invocation.usage("one of --conversation CID and --all is needed")
        }
        let rotation = Rotation(
            isRekey: invocation.has("rekey"), restart: invocation.has("restart"), promoteAfter: promoteAfter)
        if invocation.has("all") { return try RotateAll(invocation, rotation).run() }
        guard !invocation.has("older-than") else { throw invocation.usage("--older-than needs --all") }
        return try ConversationChange.run(invocation) { sealer, conversation in
            try rotation.carryOut(on: sealer, conversation, now: invocation.clock)
        }
    }
}
