import Testing

@testable import KeyStore

extension Scene {
    /// The audit log as it is.
    func entries() throws -> [AuditEntryRow] {
        try store.read { (rows) throws(KeyStoreError) in try rows.all(AuditEntryRow.self).map(\.record) }
    }

    /// What the body adds to it: "ratchet conversation chat-1", with "refused" before what was refused.
    func added(_ body: () throws -> Void) throws -> [String] {
        try addedEntries(body).map {
            ($0.result == .refused ? "refused " : "") + "\($0.operation.rawValue) \($0.subject)"
        }
    }

    /// The same as entries.
    func addedEntries(_ body: () throws -> Void) throws -> ArraySlice<AuditEntryRow> {
        let before = try entries().count
        try body()
        return try entries().dropFirst(before)
    }

    /// That the store refuses what the body does, and that one entry, with its reason, is all that comes of it.
    @discardableResult
    func expectRefusal(
        _ act: String, sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void
    ) throws -> KeyStoreError? {
        var error: KeyStoreError?
        let added = try addedAlone(sourceLocation: sourceLocation) { error = failure(body) }
        #expect(error?.isRefusal == true, sourceLocation: sourceLocation)
        #expect(added == ["refused \(act)"], sourceLocation: sourceLocation)
        let reason = error.map { AuditNote.bounded($0.reason, AuditNote.longestReason) }
        #expect(try entries().last?.reason == reason, sourceLocation: sourceLocation)
        return error
    }

    /// Every row that does not move when nothing but the audit log does: all but those of the log, of the digest over
    /// them, and of the digest over the digest.
    func dump() throws -> [StoredRow] {
        try store.read { (rows) throws(KeyStoreError) in
            var all: [StoredRow] = []
            for table in Table.allCases where table != .auditLog && table != .auditEntry {
                all += try rows.storage.rows(table, [], limit: nil).filter { row in
                    table != .digest || !Scene.isOfLog(row.identifier)
                }
            }
            return all
        }
    }

    private static func isOfLog(_ shard: String) -> Bool {
        shard == DigestRow.rootName || shard.hasPrefix("\(Table.auditLog.name)/")
            || shard.hasPrefix("\(Table.auditEntry.name)/")
    }

    /// What the body adds to the audit log, which is all that it changes.
    func addedAlone(sourceLocation: SourceLocation = #_sourceLocation, _ body: () throws -> Void) throws -> [String] {
        let before = try dump()
        let added = try added(body)
        #expect(try dump() == before, sourceLocation: sourceLocation)
        return added
    }
}
