internal import CryptoPrimitives
public import EnvelopeFormat

extension Store {
    /// Entries of the audit log, in the order in which they were written.
    /// - Parameters:
    ///   - number: only those after it.
    ///   - conversation: only those of that conversation.
    ///   - limit: at most so many.
    /// - Throws: `.locked` when it cannot be told whether somebody changed them, `.damaged`.
    public func auditEntries(
        after number: Int64 = 0, of conversation: ConversationIdentifier? = nil, limit: Int
    ) throws(KeyStoreError) -> [AuditEntry] {
        guard (0...AuditEntryRow.lastNumber).contains(number), limit >= 0 else {
            throw KeyStoreError(.badInput, "audit log", "there is no such entry")
        }
        return try read { (rows) throws(KeyStoreError) in
            let after = Match.after(AuditEntryRow.identifier(number))
            guard let conversation else {
                return try rows.all(AuditEntryRow.self, after, limit: limit).map { AuditEntry($0.record) }
            }
            let subject = Match.equal("subject", "conversation \(conversation)")
            return try rows.all(AuditEntryRow.self, subject, after, limit: limit).map { AuditEntry($0.record) }
        }
    }

    /// Goes through the whole audit log.
    /// - Parameters:
    ///   - key: what was kept of the log when it was begun; without it MACs are not checked.
    ///   - checkpoint: what the log is to go beyond; without one a cut tail may go unseen.
    /// - Throws: `.locked` when nothing can be told, `.badInput` for a checkpoint that nobody signed.
    public func verifyAudit(
        key: AuditKey? = nil, checkpoint: AuditCheckpoint? = nil
    ) throws(KeyStoreError) -> AuditVerification {
        try read { (rows) throws(KeyStoreError) in
            var verifier = AuditVerifier(rows, key: key, checkpoint: checkpoint)
            return try verifier.run()
        }
    }

    /// Signs where the audit log stands now, which is an entry of its own.
    public func auditCheckpoint(now: Int64) throws(KeyStoreError) -> AuditCheckpoint {
        try write(auditing: .checkpoint, "audit log", at: now) { (_) throws(KeyStoreError) in }
        return try read { (rows) throws(KeyStoreError) in
            let log = try AuditLog.row(rows).record
            guard let seed = try rows.find(ServiceKeyRow.self, ServiceKeyRow.Purpose.checkpoint.rawValue) else {
                throw KeyStoreError(.damaged, "row service_key/checkpoint", "it is not there")
            }
            let secret = try rows.secret(of: seed)
            let key: SigningKey
            do throws(SodiumError) { key = try SigningKey(seed: secret) } catch { throw KeyStoreError(error, "checkpoint") }
            guard key.publicKey == log.checkpointKey else {
                throw KeyStoreError(.damaged, "row service_key/checkpoint", "it is not the log's checkpoint key")
            }
            return try AuditCheckpoint(log: log.log, number: log.entries, hash: log.head, at: now, key: key)
        }
    }
}
