/// The backend's side of a key store: devices, conversations, bundles, and what sealing needs.
///
/// The methods may be called from any thread; each is one transaction unless it says otherwise.
public final class SealerStore: Sendable {
    public let store: Store

    /// - Throws: `.wrongRole` for a device store.
    public init(_ store: Store) throws(KeyStoreError) {
        guard store.role == .sealer else {
            throw KeyStoreError(.wrongRole, store.directory, "it is a device store, and a sealer store is needed")
        }
        self.store = store
    }

    /// What a cache of ``SealingState`` is compared with before each seal.
    public var generation: Generation { store.generation }

    /// - Throws: `.locked` when an operator stopped the store, besides what the body throws.
    func read<Result>(
        at now: Int64 = 0, _ body: (LifeCycle) throws(KeyStoreError) -> Result
    ) throws(KeyStoreError) -> Result {
        try store.read { (rows) throws(KeyStoreError) in
            try Self.check(rows, now)
            return try body(LifeCycle(rows: rows, now: now))
        }
    }

    /// - Throws: `.locked` when an operator stopped the store, besides what the body throws.
    func write<Result>(
        at now: Int64, _ body: (LifeCycle) throws(KeyStoreError) -> Result
    ) throws(KeyStoreError) -> Result {
        try store.write(at: now) { (rows) throws(KeyStoreError) in
            try Self.check(rows, now)
            return try body(LifeCycle(rows: rows, now: now))
        }
    }

    /// The same for an operation that the audit log tells of, done or refused.
    func write<Result>(
        auditing operation: AuditOperation, _ subject: String, at now: Int64,
        _ body: (LifeCycle) throws(KeyStoreError) -> Result
    ) throws(KeyStoreError) -> Result {
        try store.write(auditing: operation, subject, at: now) { (rows) throws(KeyStoreError) in
            try Self.check(rows, now)
            return try body(LifeCycle(rows: rows, now: now))
        }
    }

    private static func check(_ rows: RecordTransaction, _ now: Int64) throws(KeyStoreError) {
        guard Cryptoperiod.times.contains(now) else { throw KeyStoreError(.badInput, "clock", "\(now) is no time") }
        guard try rows.storeRecord().record.stopped == .no else { throw RowCipher.locked("store") }
    }
}
