internal import CryptoPrimitives

/// The audit log inside one transaction.
struct AuditLog {
    private let rows: RecordTransaction
    private var log: Held<AuditLogRow>
    private let key: EvolvingKey

    /// - Throws: `.damaged` when there is none, `.locked`.
    init(_ rows: RecordTransaction) throws(KeyStoreError) {
        self.rows = rows
        log = try Self.row(rows)
        do { key = try EvolvingKey(try rows.secret(of: log)) } catch let error as SodiumError {
            throw KeyStoreError(error, log.row.subject)
        } catch let error as KeyStoreError {
            throw error
        } catch { throw KeyStoreError(.damaged, log.row.subject, "its key cannot be read") }
    }

    /// Begins the log of a store that has none. What is returned verifies all of it, and nothing keeps it but the caller.
    static func found(in rows: RecordTransaction) throws(KeyStoreError) -> AuditKey {
        let seed = SymmetricKey(size: .bits256)
        let startKey = SymmetricKey(size: .bits256)
        let identifier = try RandomName.make()
        let publicKey: [UInt8]
        do { publicKey = try SigningKey(seed: seed).publicKey } catch { throw KeyStoreError(error, "audit log") }
        let row = AuditLogRow(
            log: identifier, created: rows.now, checkpointKey: publicKey,
            head: try AuditChain.beginning(log: identifier, checkpointKey: publicKey))
        try rows.insert(row, secret: startKey)
        try rows.insert(ServiceKeyRow(purpose: .checkpoint, created: rows.now), secret: seed)
        return try AuditKey(log: identifier, startKey: startKey, checkpointKey: publicKey)
    }

    static func row(_ rows: RecordTransaction) throws(KeyStoreError) -> Held<AuditLogRow> {
        guard let log = try rows.find(AuditLogRow.self, AuditLogRow.name) else {
            throw KeyStoreError(.damaged, "row audit_log/\(AuditLogRow.name)", "it is not there", hint: SQLiteStructure.hint)
        }
        return log
    }

    /// Writes entries one after the other, each under a key of its own, and then where the log stands.
    mutating func append(_ notes: [AuditNote], by caller: Caller) throws(KeyStoreError) {
        for note in notes {
            guard log.record.entries < AuditEntryRow.lastNumber else {
                throw KeyStoreError(.refused, "audit log", "it has no number left")
            }
            var entry = AuditEntryRow(
                note, number: log.record.entries + 1, at: rows.now, caller: caller, previous: log.record.head)
            let bytes = AuditChain.bytes(of: entry, log: log.record.log)
            do {
                entry.mac = try key.mac(of: bytes)
                try key.advance(AuditChain.nextKeyLabel)
            } catch { throw KeyStoreError(error, "audit log") }
            try rows.insert(entry)
            log.record.append(try AuditChain.hash(of: entry, bytes: bytes))
        }
        try rows.update(&log, evolved: key.current)
    }
}
