import BackendJSON
import EnvelopeFormat
import KeyStore

/// `provision`: creates conversations.
enum ProvisionCommand {
    /// What a bundle may name.
    private static let classes = AccessibilityClass.allCases.filter(\.isProvisionable)

    static let row = Command(
        "provision", "create a conversation with its members and its first secret; print the kid",
        details: [
            "A bundle for each member waits in `bundle`. dir seals one payload for all members, HPKE-7 one for each; "
                + "split is for extensions already in the field, needs --until, and its key is carried by hand "
                + "with `split export`.",
            "--from reads one JSON object a line with the members conversation, alg, devices, accessible, until. A "
                + "line that is refused, as one above 1 MiB is, stops none of the others; one whose conversation is there exactly so is "
                + "already done, so that what was interrupted can be repeated. --dry-run shows the conversations of the list.",
        ],
        options: [
            OptionSpec("conversation", "CID", "the conversation's name, 1 to 64 printable ASCII characters"),
            .choice("alg", KeyAlgorithm.allCases.map(\.rawValue), "what its secret is for; dir if not given"),
            OptionSpec("device", "ID", "a member: its thumbprint or an unambiguous start of it", isRepeatable: true),
            OptionSpec(
                "accessible", "CLASS",
                "when a device can read the secret: \(classes.map(\.rawValue).joined(separator: ", ")); "
                    + "\(AccessibilityClass.standard.rawValue) if not given",
                completion: .words(classes.map(\.rawValue))),
            OptionSpec("until", "DATE", "when sealing ends: seconds since 1970, RFC 3339 or a day; split needs one"),
            OptionSpec(
                "from", "FILE", "many at once, one JSON object a line; - for standard input", completion: .files),
        ],
        example: "provision --store sealer --conversation chat-1 --device 3q2-7w", role: .sealer, changesState: true,
        run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        if let file = invocation.value("from") { return try ProvisionBatch(invocation, file: file).run() }
        guard invocation.has("conversation") else { throw invocation.usage("--conversation CID is missing") }
        guard !invocation.has("accessible") || invocation.value("alg") != KeyAlgorithm.split.rawValue else {
            throw invocation.usage("--accessible is for what bundles deliver; a split key is carried by hand")
        }
        let plan = ProvisionPlan(
            conversation: try invocation.conversation(),
            algorithm: try invocation.choice("alg", of: KeyAlgorithm.self) ?? .dir,
            devices: invocation.values("device"),
            accessible: try invocation.choice("accessible", of: AccessibilityClass.self, among: classes) ?? .standard,
            until: try invocation.time("until"))
        let view = { (sealer: SealerStore) in try ConversationView.view(of: plan.conversation, in: sealer) }
        return try invocation.change(viewing: view) { (sealer: SealerStore) in
            let record = try plan.carryOut(on: sealer, now: invocation.clock)
            if record.members.isEmpty, record.algorithm != .split, !invocation.isDryRun {
                invocation.note("it has no member yet: nothing can be sealed before member add")
            }
            return Report(lines: [ConversationForm.sealedUnder(record)], json: ConversationForm.json(record))
        }
    }
}
