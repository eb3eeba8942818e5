import EnvelopeFormat
import KeyStore

extension Invocation {
    /// Changes a store, or with `--dry-run` tries the change in a transaction that is rolled back.
    /// - Parameters:
    ///   - view: how the thing to be changed looks now.
    ///   - change: the change, and what there is to say of it.
    func change(_ store: Store, viewing view: () throws -> View, _ change: () throws -> Report) throws -> Report {
        guard isDryRun else { return try change() }
        return try store.dryRun {
            let before = try view()
            let report = try change()
            return Self.dryRunReport(before: before, after: try view(), status: report.status)
        }
    }

    /// What `--dry-run` prints.
    static func dryRunReport(before: View, after: View, status: ExitStatus = .done) -> Report {
        let lines = ["before:"] + before.lines.map { "  " + $0 } + ["after:"] + after.lines.map { "  " + $0 }
        let json = JSONValue.members(["dry_run": .bool(true), "before": before.json, "after": after.json])
        return Report(lines: lines, json: json, status: status)
    }
}
