internal import CryptoPrimitives

/// Goes through an audit log from its first entry to its last, inside one transaction.
///
/// Who reads the entries for reasons of his own hands them over one by one: ``begin()``, ``take(_:isChecked:)``, ``end()``.
final class AuditVerifier {
    private let rows: RecordTransaction
    private let key: AuditKey?
    private let checkpoint: AuditCheckpoint?

    private var log: Held<AuditLogRow>?
    /// The key of the next MAC; nil without the key file.
    private var chainKey: EvolvingKey?
    /// The hash of the last entry that held.
    private var head: [UInt8] = []
    /// Its number.
    private var number: Int64 = 0
    private var fault: AuditVerification.Fault?

    init(_ rows: RecordTransaction, key: AuditKey? = nil, checkpoint: AuditCheckpoint? = nil) {
        self.rows = rows
        self.key = key
        self.checkpoint = checkpoint
    }

    /// - Parameter goesOn: asked now and then, with how many entries were looked at; false ends it.
    /// - Throws: `.locked` when nothing can be told, `.badInput` for a checkpoint that nobody signed.
    func run(_ goesOn: (Int) -> Bool) throws(KeyStoreError) -> AuditVerification {
        try begin()
        var count = 0
        try rows.storage.eachRow(of: .auditEntry) { (row) throws(KeyStoreError) in
            if count.isMultiple(of: 1_000), !goesOn(count) { throw .interrupted }
            try take(row)
            count += 1
        }
        return try end()
    }

    /// What is wrong before any entry is looked at.
    /// - Throws: as ``run(_:)``.
    func begin() throws(KeyStoreError) { fault = try faultOfLog() }

    /// Judges an entry; the first that does not hold is what is told.
    /// - Parameter isChecked: whether its row was found to be as it was written.
    func take(_ row: StoredRow, isChecked: Bool = false) throws(KeyStoreError) {
        guard fault == nil, let reason = try judge(row, isChecked: isChecked) else { return }
        fault = fault(reason)
    }

    /// What came of it, after the last entry there is.
    func end() throws(KeyStoreError) -> AuditVerification {
        if fault == nil { fault = try faultOfEnd() }
        var unchecked: [AuditVerification.Unchecked] = []
        if key == nil { unchecked.append(.macs) }
        if checkpoint == nil { unchecked.append(.tail) } else if key == nil { unchecked.append(.signer) }
        return AuditVerification(
            entries: number, fault: fault, checkpoint: fault == nil ? checkpoint?.number : nil, unchecked: unchecked)
    }

    private func fault(_ reason: String) -> AuditVerification.Fault {
        AuditVerification.Fault(number: number + 1, reason: reason)
    }

    private func faultOfLog() throws(KeyStoreError) -> AuditVerification.Fault? {
        do { log = try AuditLog.row(rows) } catch {
            guard error.kind == .damaged else { throw error }
            return fault("the log's own row: \(error.reason)")
        }
        guard let log = log?.record else { return nil }
        if let checkpoint, try !checkpoint.isSigned(by: key?.checkpointKey ?? log.checkpointKey) {
            throw KeyStoreError(.badInput, "checkpoint", "its signature is not of the log's checkpoint key")
        }
        for name in [key?.log, checkpoint?.log] where name != nil && name != log.log {
            return fault("the log is \(log.log), another one than \(name ?? "")")
        }
        head = try AuditChain.beginning(log: log.log, checkpointKey: key?.checkpointKey ?? log.checkpointKey)
        if let key {
            do { chainKey = try EvolvingKey(key.startKey) } catch { throw KeyStoreError(error, "audit key") }
        }
        return nil
    }

    /// Why the row is not the next entry; nil when it is, and then it is the last that held.
    private func judge(_ row: StoredRow, isChecked: Bool) throws(KeyStoreError) -> String? {
        guard let name = log?.record.log else { return nil }
        guard row.identifier == AuditEntryRow.identifier(number + 1) else { return "it is not there" }
        let entry: AuditEntryRow
        do {
            if !isChecked { try rows.cipher.check(row) }
            entry = try Held<AuditEntryRow>(row).record
        } catch {
            guard error.kind == .damaged else { throw error }
            return error.reason
        }
        guard entry.previous == head else { return "it does not follow from the one before" }
        let bytes = AuditChain.bytes(of: entry, log: name)
        if let chainKey {
            let mac: [UInt8]
            do {
                mac = try chainKey.mac(of: bytes)
                try chainKey.advance(AuditChain.nextKeyLabel)
            } catch { throw KeyStoreError(error, "audit log") }
            guard constantTimeEqual(mac, entry.mac) else { return "its MAC is not of the key of its time" }
        }
        let hash = try AuditChain.hash(of: entry, bytes: bytes)
        if let checkpoint, checkpoint.number == entry.number, checkpoint.hash != hash {
            return "it is another one than the checkpoint was made of"
        }
        head = hash
        number = entry.number
        return nil
    }

    private func faultOfEnd() throws(KeyStoreError) -> AuditVerification.Fault? {
        guard let log else { return nil }
        if let checkpoint, checkpoint.number > number {
            return fault("it is not there, and the checkpoint says that there are \(checkpoint.number)")
        }
        if log.record.entries > number {
            return fault("it is not there, and the log says that there are \(log.record.entries)")
        }
        if log.record.entries < number || log.record.head != head {
            return AuditVerification.Fault(
                number: min(number, log.record.entries + 1), reason: "the log's own row does not know of it")
        }
        guard let chainKey else { return nil }
        do {
            guard constantTimeEqual(try rows.secret(of: log), chainKey.current) else {
                return fault("the log's key is not the one that follows: entries were cut off here")
            }
        } catch {
            switch error.kind {
            case .damaged, .notFound: return fault("the log's key: \(error.reason)")
            default: throw error
            }
        }
        return nil
    }
}
