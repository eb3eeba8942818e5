import BackendJSON
import EnvelopeFormat
import KeyStore

/// `split export`: the key of a split conversation, to be carried by hand.
enum SplitExportCommand {
    static let row = Command(
        "split export", "write the key of a split conversation to a new file, mode 0600",
        details: [
            "The file holds the raw key: it is for `split add` on the device, over a channel that is yours alone, and "
                + "to be deleted afterwards. - writes to standard output, which must not be a terminal, where a key stays "
                + "readable: --force writes it there all the same."
        ],
        options: [
            .conversation,
            OptionSpec("output", "FILE", "a file that is not there yet, or -", isRequired: true, completion: .files),
            OptionSpec("force", nil, "though standard output is a terminal"),
        ],
        example: "split export --store sealer --conversation legacy-1 --output split.json", role: .sealer, changesState: true, run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        let path = try invocation.required("output")
        let conversation = try invocation.conversation()
        guard path != "-" || !invocation.console.output.isTerminal || invocation.has("force") || invocation.isDryRun else {
            throw CommandError(
                .notPermitted, "standard output", "is a terminal, where a raw key stays readable",
                hint: "give --output FILE, or --force")
        }
        return try invocation.change(writing: path == "-" ? nil : path) { (store: Store, file) in
            let (key, until) = try SealerStore(store).splitExport(conversation, now: invocation.clock)
            guard !invocation.isDryRun else { return .silent(.done) }
            let document = try SplitKeyDocument(conversation: conversation, key: key, until: until)
            guard let file else { return Report(document: document.json()) }
            var bytes = document.json()
            defer { SecretBytes.wipe(&bytes) }
            try file.commit(bytes)
            return Report(
                lines: ["written to \(path)"],
                json: .members([
                    "conversation": .string(conversation.string), "output": .string(path), "until": .integer(until),
                ]))
        }
    }
}
