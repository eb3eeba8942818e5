import BackendJSON
import EnvelopeFormat
import KeyStore

extension Invocation {
    /// Changes the store, or with `--dry-run` rehearses the change and prints what is before and after.
    /// - Parameters:
    ///   - view: how the thing to be changed looks in the store it is given.
    ///   - change: the change of the store it is given, and what there is to say of it.
    func change(viewing view: (Store) throws -> View, _ change: (Store) throws -> Report) throws -> Report {
        let store = try openStore()
        guard isDryRun else { return try change(store) }
        return try store.rehearse { rehearsed in
            let before = try view(rehearsed)
            let report = try change(rehearsed)
            return Self.dryRunReport(before: before, after: try view(rehearsed), status: report.status)
        }
    }

    /// The same for a change that a sealer store alone knows.
    func change(
        viewing view: (SealerStore) throws -> View, _ change: (SealerStore) throws -> Report
    ) throws -> Report {
        try self.change(viewing: { try view(SealerStore($0)) }, { try change(SealerStore($0)) })
    }

    /// The same for a change that a device store alone knows.
    func change(
        viewing view: (DeviceStore) throws -> View, _ change: (DeviceStore) throws -> Report
    ) throws -> Report {
        try self.change(viewing: { try view(DeviceStore($0)) }, { try change(DeviceStore($0)) })
    }

    /// What is written to a new file and into the audit log, and changes nothing else.
    /// - Parameter path: of the file; nil for standard output.
    func change(writing path: String?, _ change: (Store, NewFile?) throws -> Report) throws -> Report {
        let file = try newFile(path)
        return try self.change(viewing: AuditView.extent(of:)) { (store: Store) in try change(store, file) }
    }

    /// What `--dry-run` prints.
    static func dryRunReport(before: View, after: View, status: ExitStatus = .done) -> Report {
        let lines = ["before:"] + before.lines.map { "  " + $0 } + ["after:"] + after.lines.map { "  " + $0 }
        let json = JSONValue.members(["dry_run": .bool(true), "before": before.json, "after": after.json])
        return Report(lines: lines, json: json, status: status)
    }
}
