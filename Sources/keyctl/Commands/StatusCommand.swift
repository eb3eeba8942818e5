import EnvelopeFormat
import KeyStore

/// `status`: lock state, counts, schema, health.
enum StatusCommand {
    static let row = Command(
        "status", "show lock state, epochs, counts, schema and health",
        details: [
            "--verify authenticates every row and that none is missing or older than it should be, and names the first "
                + "that does not hold; the exit code is then 65.",
            "A store that is older than its anchor says was put back from a copy: that is an error, with and without "
                + "--verify.",
        ],
        options: [
            OptionSpec("verify", nil, "authenticate every row"),
            OptionSpec(
                "anchor", "FILE", "with --verify: the store's anchor, whatever the store itself says",
                completion: .files),
        ],
        example: "status --store sealer --verify", role: .any
    ) { invocation in
        guard invocation.has("verify") || !invocation.has("anchor") else {
            throw invocation.usage("--anchor goes with --verify")
        }
        let status = try invocation.openStore().status(
            verify: invocation.has("verify"), anchor: invocation.value("anchor"), now: invocation.clock)
        return StatusView.view(of: status).report
    }
}
