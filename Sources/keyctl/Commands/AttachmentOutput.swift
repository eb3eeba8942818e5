import BackendJSON
import EnvelopeFormat
import KeyStore

/// The new file of `attachment seal` and `attachment open`; with `--dry-run` its bytes are counted and dropped.
final class AttachmentOutput {
    private let path: String
    private let what: String
    private let file: NewFile?
    private(set) var byteCount = 0

    /// - Throws: ``KeyStoreError`` where it is there already or cannot be made, with `--dry-run` too.
    init(_ path: String, _ what: String, _ invocation: Invocation) throws {
        (self.path, self.what) = (path, what)
        file = try invocation.newFile(path)
    }

    func write(_ bytes: UnsafeRawBufferPointer) throws {
        byteCount += bytes.count
        try file?.write(bytes)
    }

    /// Makes it durable and gives it its name.
    func commit() throws { try file?.commit([]) }

    private var json: JSONValue { .members(["output": .string(path), "bytes": .integer(byteCount)]) }

    var report: Report { Report(lines: ["written to \(path)", "bytes: \(byteCount)"], json: json) }

    /// What `--dry-run` prints.
    var dryRunReport: Report {
        Invocation.dryRunReport(
            before: .absent("\(what) at \(path)"),
            after: View(lines: ["\(what) at \(path)", "bytes: \(byteCount)"], json: json))
    }
}
