import EnvelopeFormat
import KeyStore

/// `status`: lock state, counts, schema, health.
enum StatusCommand {
    static let row = Command(
        "status", "show lock state, epochs, counts, schema and health",
        details: [
            "--verify authenticates every row and the audit log and names the first that does not hold; the exit code is "
                + "then 65."
        ],
        options: [OptionSpec("verify", nil, "authenticate every row and the audit log")],
        example: "status --store sealer --verify", role: .any
    ) { invocation in
        let status = try invocation.openStore().status(verify: invocation.has("verify"), now: invocation.clock)
        return StatusView.view(of: status).report
    }
}
