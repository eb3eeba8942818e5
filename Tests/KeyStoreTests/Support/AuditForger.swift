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

    /// Gives the row, as its values are now, a MAC and a seal; returns its hash.
    func reseal(_ held: inout Held<AuditEntryRow>, _ rows: RecordTransaction) throws(KeyStoreError) -> [UInt8] {
        var entry = try Held<AuditEntryRow>(held.row).record
        let bytes = AuditChain.bytes(of: entry, log: log)
        do throws(SodiumError) { entry.mac = try key.mac(of: bytes) } catch { throw KeyStoreError(error, "key") }
        held.record = entry
        try rows.update(&held)
        return try AuditChain.hash(of: entry, bytes: bytes)
    }
}
