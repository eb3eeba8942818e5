import BackendJSON
import EnvelopeFormat
import KeyStore

/// `audit checkpoint`: a signed statement of where the audit log stands.
enum AuditCheckpointCommand {
    static let row = Command(
        "audit checkpoint", "print a signed statement of where the audit log stands",
        details: [
            "To be kept where whoever can write to the store cannot: audit verify --checkpoint then finds out when the "
                + "log was cut behind it, or an older state put back. It is no secret. Making one is an entry itself."
        ],
        options: [
            OptionSpec("output", "FILE", "a file that is not there yet; standard output without", completion: .files)
        ],
        example: "audit checkpoint --store sealer --output checkpoint.json", role: .any, changesState: true, run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        let path = invocation.value("output").flatMap { $0 == "-" ? nil : $0 }
        return try invocation.change(writing: path) { (store: Store, file) in
            let checkpoint = try store.auditCheckpoint(now: invocation.clock)
            guard let file, let path else { return Report(document: checkpoint.json()) }
            try file.commit(checkpoint.json() + [0x0A])
            return Report(
                lines: ["entry \(checkpoint.number), written to \(path)"],
                json: .members([
                    "log": .string(checkpoint.log), "number": .integer(checkpoint.number), "output": .string(path),
                ]))
        }
    }
}
