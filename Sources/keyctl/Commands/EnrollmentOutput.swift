import BackendJSON
import EnvelopeFormat
import KeyStore

/// Where an enrollment document goes, which holds a secret: into a new file that its owner alone can read, or to standard output.
struct EnrollmentOutput {
    static let option = OptionSpec("output", "FILE", "a file that is not there yet, for the document", completion: .files)

    private let path: String?
    private let file: NewFile?

    /// - Throws: ``KeyStoreError`` where it is there already or cannot be made, with `--dry-run` too.
    init(_ invocation: Invocation) throws {
        path = invocation.value("output")
        file = try invocation.newFile(path)
    }

    func report(_ document: EnrollmentDocument) throws -> Report {
        guard let path, let file else { return Report(document: document.json()) }
        var bytes = document.json()
        defer { SecretBytes.wipe(&bytes) }
        try bytes.withUnsafeBytes { try file.write($0) }
        try file.commit([0x0A])
        return Report(
            lines: ["written to \(path)", "thumbprint \(document.thumbprint)"],
            json: .members(["output": .string(path), "thumbprint": .string("\(document.thumbprint)")]))
    }
}
