import BackendJSON
import EnvelopeFormat
import KeyStore

/// How a backup is shown.
enum BackupView {
    static func view(of summary: BackupSummary, at path: String) -> View {
        var lines = [
            "backup \(path) of \(summary.role.rawValue) store \(summary.store), \(Timestamp.text(summary.created))",
            "rows \(summary.rowCount)",
        ]
        if let count = summary.staysBehindCount, count > 0 { lines.append("rows of this device alone left behind \(count)") }
        return View(lines: lines, json: json(summary, path))
    }

    private static func json(_ summary: BackupSummary, _ path: String) -> JSONValue {
        let rows = summary.rows.sorted { $0.key < $1.key }.map { JSONMember($0.key, .integer($0.value)) }
        return .members([
            "backup": .string(path), "role": .string(summary.role.rawValue), "store": .string(summary.store),
            "access_group": .string(summary.accessGroup), "created": .integer(summary.created), "rows": .object(rows),
            "left_behind": summary.staysBehindCount.map { .integer($0) },
        ])
    }
}
