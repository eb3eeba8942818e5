import EnvelopeFormat
import KeyStore

/// `audit verify`: whether the audit log is as it was written.
enum AuditVerifyCommand {
    static let row = Command(
        "audit verify", "verify the audit log and name the first entry that does not hold",
        details: [
            "The exit code is 0 when it holds and 1 when it does not. --key takes the file of init --audit-key, with "
                + "which every MAC is made again from the first on; --checkpoint takes what audit checkpoint printed, "
                + "beyond which the log must go. What cannot be checked without them is said."
        ],
        options: [
            OptionSpec("key", "FILE", "the file that init --audit-key made", completion: .files),
            OptionSpec("checkpoint", "FILE", "a checkpoint; - for standard input", completion: .files),
        ],
        example: "audit verify --store sealer --key audit.key --checkpoint checkpoint.json", role: .any, run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        let key = try invocation.value("key").map { path in
            try naming(path) { try SecretInput(reading: path).withBytes { try AuditKey(parsing: $0) } }
        }
        let path = invocation.value("checkpoint")
        let checkpoint = try path.map { path in
            try naming(path) { try AuditCheckpoint(parsing: try Input.readLine(path)) }
        }
        let store = try invocation.openStore()
        return try LongJob.run(invocation, "entries") { goesOn in
            AuditView.report(of: try store.verifyAudit(key: key, checkpoint: checkpoint, goesOn: goesOn))
        }
    }

    /// Tells what is wrong with a file with the file's name.
    private static func naming<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do { return try body() } catch let error as KeyStoreError where error.kind == .badInput {
            throw CommandError(.badInput, path == "-" ? "standard input" : path, error.description)
        }
    }
}
