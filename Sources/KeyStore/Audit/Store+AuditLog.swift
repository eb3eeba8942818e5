internal import CryptoPrimitives
public import EnvelopeFormat

extension Store {
    /// Entries of the audit log, in the order in which they were written.
    /// - Parameters:
    ///   - number: only those after it.
    ///   - conversation: only those of that conversation.
    ///   - limit: at most so many.
    /// - Throws: `.locked` when it cannot be told whether somebody changed them, `.damaged` when one does not hold.
    public func auditEntries(
        after number: Int64 = 0, of conversation: ConversationIdentifier? = nil, limit: Int
    ) throws(KeyStoreError) -> [AuditEntry] {
        let page = try auditPage(after: number, of: conversation, limit: limit)
        if let fault = page.fault { throw fault }
        return page.entries
    }

    /// The same, and where one does not hold, those before it with the error.
    /// - Throws: `.locked` when it cannot be told whether somebody changed them.
    public func auditPage(
        after number: Int64 = 0, of conversation: ConversationIdentifier? = nil, limit: Int
    ) throws(KeyStoreError) -> AuditPage {
        guard (0...AuditEntryRow.lastNumber).contains(number), limit >= 0 else {
            throw KeyStoreError(.badInput, "audit log", "there is no such entry")
        }
        return try read { (rows) throws(KeyStoreError) in
            let after = Match.after(AuditEntryRow.identifier(number))
            let subject = conversation.map { [Match.equal("subject", "conversation \($0)")] } ?? []
            let (held, fault) = try rows.leading(AuditEntryRow.self, subject + [after], limit: limit)
            return AuditPage(entries: held.map { AuditEntry($0.record) }, fault: fault)
        }
    }

    /// The number after which the last entries come, to be given to ``auditEntries(after:of:limit:)``; 0 where there are
    /// not so many.
    /// - Parameters:
    ///   - count: how many entries are to come.
    ///   - conversation: counts those of that conversation alone.
    /// - Throws: as reading the entries does.
    public func auditNumber(
        beforeLast count: Int64, of conversation: ConversationIdentifier? = nil
    ) throws(KeyStoreError) -> Int64 {
        try read { (rows) throws(KeyStoreError) in
            let entries = try AuditLog.row(rows).record.entries
            guard count > 0 else { return entries }
            guard let conversation else { return max(0, entries - count) }
            // From the end, a thousand at a time.
            let subject = Match.equal("subject", "conversation \(conversation)")
            var (first, left) = (AuditEntryRow.lastNumber, count)
            while left > 0 {
                let limit = Int(min(1_000, left))
                let before = Match.before(AuditEntryRow.identifier(first))
                let part = try rows.all(AuditEntryRow.self, subject, before, limit: limit)
                if let entry = part.last { first = entry.record.number }
                guard part.count == limit else { return 0 }
                left -= Int64(limit)
            }
            return first - 1
        }
    }

    /// Goes through the whole audit log.
    /// - Parameters:
    ///   - key: what was kept of the log when it was begun; without it MACs are not checked.
    ///   - checkpoint: what the log is to go beyond; without one a cut tail may go unseen.
    ///   - goesOn: asked now and then, with how many entries were looked at; false ends it.
    /// - Throws: `.locked` when nothing can be told, `.badInput` for a checkpoint that nobody signed.
    public func verifyAudit(
        key: AuditKey? = nil, checkpoint: AuditCheckpoint? = nil, goesOn: (Int) -> Bool = { _ in true }
    ) throws(KeyStoreError) -> AuditVerification {
        try read { (rows) throws(KeyStoreError) in
            try AuditVerifier(rows, key: key, checkpoint: checkpoint).run(goesOn)
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
