@testable import KeyStore

extension Scene {
    /// The audit log as it is.
    func entries() throws -> [AuditEntryRow] {
        try store.read { (rows) throws(KeyStoreError) in try rows.all(AuditEntryRow.self).map(\.record) }
    }

    /// What the body adds to it: "ratchet conversation chat-1", with "refused" before what was refused.
    func added(_ body: () throws -> Void) throws -> [String] {
        let before = try entries().count
        try body()
        return try entries().dropFirst(before).map {
            ($0.result == .refused ? "refused " : "") + "\($0.operation.rawValue) \($0.subject)"
        }
    }

    /// Every row of every table but those of the log.
    func dump() throws -> [StoredRow] {
        try store.read { (rows) throws(KeyStoreError) in
            var all: [StoredRow] = []
            for table in Table.allCases where table != .auditLog && table != .auditEntry {
                all += try rows.storage.rows(table, [], limit: nil)
            }
            return all
        }
    }
}
