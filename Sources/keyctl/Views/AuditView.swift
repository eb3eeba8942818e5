import BackendJSON
import EnvelopeFormat
import KeyStore

/// How the audit log is shown.
enum AuditView {
    /// A line an entry: number, time, who, what to what, and how it went.
    static func lines(of entries: [AuditEntry]) -> [String] {
        TableLayout.lines(entries.map(cells))
    }

    private static func cells(of entry: AuditEntry) -> [String] {
        let who = "uid \(entry.caller.user) pid \(entry.caller.process)" + (entry.caller.token.map { " token \($0)" } ?? "")
        let what = [
            entry.operation.rawValue, entry.result == .refused ? "REFUSED" : nil, entry.subject,
            entry.kid?.description, entry.reason.map { "(\($0))" },
        ]
        return [String(entry.number), Timestamp.text(entry.at), who, what.compactMap(\.self).joined(separator: " ")]
    }

    static func json(of entry: AuditEntry) -> JSONValue {
        .members([
            "number": .integer(entry.number), "at": .integer(entry.at), "uid": .integer(entry.caller.user),
            "pid": .integer(entry.caller.process), "token": entry.caller.token.map { .string($0) } ?? .null,
            "operation": .string(entry.operation.rawValue), "subject": .string(entry.subject),
            "kid": entry.kid.map { .string($0.description) } ?? .null, "result": .string(entry.result.rawValue),
            "reason": entry.reason.map { .string($0) } ?? .null,
        ])
    }

    /// How many entries there are.
    static func extent(of store: Store) throws -> View {
        let count = try store.auditNumber(beforeLast: 0)
        return View(lines: ["audit log of \(count) entries"], json: .members(["entries": .integer(count)]))
    }

    // MARK: Verification

    static func report(of verification: AuditVerification) -> Report {
        var lines: [String] = []
        if let fault = verification.fault {
            lines.append("DOES NOT HOLD: entry \(fault.number): \(fault.reason)")
            lines.append("\(verification.entries) entries before it hold")
        } else {
            lines.append("holds: \(verification.entries) entries")
        }
        if let number = verification.checkpoint { lines.append("goes beyond the checkpoint, of entry \(number)") }
        lines += verification.unchecked.map { "not checked: \(text(of: $0))" }
        let fault = verification.fault.map { fault in
            JSONValue.members(["number": .integer(fault.number), "reason": .string(fault.reason)])
        }
        let json = JSONValue.members([
            "holds": .bool(verification.holds), "entries": .integer(verification.entries), "fault": fault ?? .null,
            "checkpoint": verification.checkpoint.map { .integer($0) } ?? .null,
            "unchecked": .list(verification.unchecked) { .string($0.rawValue) },
        ])
        return Report(lines: lines, json: json, status: verification.holds ? .done : .no)
    }

    private static func text(of unchecked: AuditVerification.Unchecked) -> String {
        switch unchecked {
        case .macs: "the MACs, without --key: whoever has the store's keys could have written all of it anew"
        case .tail: "the end, without --checkpoint: an older state of all of it could have been put back"
        case .signer: "who signed the checkpoint, without --key: it was judged by the store's own key"
        }
    }
}
