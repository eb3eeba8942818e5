import EnvelopeFormat
import KeyStore

/// `status`: lock state, counts, schema, health.
enum StatusCommand {
    static let row = Command(
        "status", "show lock state, epochs, counts, schema and health",
        details: [
            "--verify authenticates every row and that none is missing or older than it should be, and the audit log, and "
                + "names the first that does not hold; the exit code is then 65.",
            "A store that is older than its anchor says was put back from a copy: that is an error, with and without "
                + "--verify.",
        ],
        options: [
            OptionSpec("verify", nil, "authenticate every row and the audit log"),
            OptionSpec(
                "anchor", "FILE", "with --verify: the store's anchor, whatever the store itself says",
                completion: .files),
        ],
        example: "status --store sealer --verify", role: .any
    ) { invocation in
        guard invocation.has("verify") || !invocation.has("anchor") else {
            throw invocation.usage("--anchor goes with --verify")
        }
        let store = try invocation.openStore()
        guard invocation.has("verify") else { return StatusView.view(of: try store.status(now: invocation.clock)).report }
        return try LongJob.run(invocation, "rows") { goesOn in
            let status = try store.status(
                verify: true, anchor: invocation.value("anchor"), now: invocation.clock, goesOn: goesOn)
            return StatusView.view(of: status).report
        }
    }
}
