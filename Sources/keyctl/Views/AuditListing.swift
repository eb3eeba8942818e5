import EnvelopeFormat
import KeyStore

/// Entries of the audit log, printed as they come: a log of years is not held in memory. With `--json` they are one document
/// all the same.
struct AuditListing {
    private let invocation: Invocation
    /// How many were printed.
    private(set) var count: Int64 = 0
    private(set) var hasBegun = false

    init(_ invocation: Invocation) { self.invocation = invocation }

    /// Prints the next ones.
    mutating func add(_ entries: [AuditEntry]) throws(CommandError) {
        if invocation.isJSON {
            try begin()
            var bytes: [UInt8] = []
            for (index, entry) in entries.enumerated() {
                if count > 0 || index > 0 { bytes.append(UInt8(ascii: ",")) }
                bytes += PrintableText.escape(json: AuditView.json(of: entry).write())
            }
            try invocation.console.output.write(bytes)
        } else {
            let lines = AuditView.lines(of: entries).map { PrintableText.escape($0) + "\n" }
            try invocation.console.output.write(Array(lines.joined().utf8))
        }
        count += Int64(entries.count)
    }

    /// Closes the document.
    /// - Parameter reason: why entries that were asked for are not in it; nil when all are.
    mutating func end(before reason: String? = nil) throws(CommandError) {
        guard invocation.isJSON else { return }
        try begin()
        let rest = reason.map { ",\"error\":" + String(decoding: JSONValue.string($0).write(), as: UTF8.self) } ?? ""
        try invocation.console.output.write(PrintableText.escape(json: Array("]\(rest)}\n".utf8)))
    }

    private mutating func begin() throws(CommandError) {
        guard !hasBegun else { return }
        hasBegun = true
        try invocation.console.output.write(Array(#"{"entries":["#.utf8))
    }
}
