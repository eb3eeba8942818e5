@testable import KeyStore

/// Somebody with all the keys of a store, as they are today.
struct AuditForger {
    private let key: EvolvingKey
    private let log: String

    init(_ rows: RecordTransaction, _ log: Held<AuditLogRow>) throws(KeyStoreError) {
        let secret = try rows.secret(of: log)
        do throws(SodiumError) { key = try EvolvingKey(secret) } catch { throw KeyStoreError(error, "key") }
        self.log = log.record.log
    }

    /// Gives the row, with the values it is to have, a MAC and a seal; returns its hash.
    func reseal(
        _ held: Held<AuditEntryRow>, as edited: StoredRow, _ rows: RecordTransaction
    ) throws(KeyStoreError) -> [UInt8] {
        var entry = try Held<AuditEntryRow>(edited).record
        let bytes = AuditChain.bytes(of: entry, log: log)
        do throws(SodiumError) { entry.mac = try key.mac(of: bytes) } catch { throw KeyStoreError(error, "key") }
        var changed = Held(record: entry, row: held.row)
        try rows.update(&changed)
        return try AuditChain.hash(of: entry, bytes: bytes)
    }
}

extension RecordTransaction {
    /// Writes a row with other values.
    func edit<R: Record>(_ held: Held<R>, _ body: (inout [FieldValue]) -> Void) throws(KeyStoreError) {
        var edited = held.row
        body(&edited.values)
        var changed = Held(record: try Held<R>(edited).record, row: held.row)
        try update(&changed)
    }
}
