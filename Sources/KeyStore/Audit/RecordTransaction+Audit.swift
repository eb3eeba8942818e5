internal import EnvelopeFormat

extension RecordTransaction {
    /// Has an entry written when this transaction commits, after those that were asked for before.
    func audit(
        _ operation: AuditOperation, _ subject: String, kid: KeyIdentifier? = nil, reason: String? = nil
    ) {
        audit(AuditNote(operation, subject, kid: kid, reason: reason))
    }

    /// Whether an entry can be written now: the log's key is as readable as anything is after the first unlock.
    func canAudit() throws(KeyStoreError) -> Bool {
        guard try cipher.keys.key(.integrity) != nil else { return false }
        return try cipher.keys.key(.afterFirstUnlock) != nil
    }

    /// Writes what was asked for: first the operation itself, then what came of it.
    func writeAudit() throws(KeyStoreError) {
        let entries = [act].compactMap { $0 } + notes
        guard !entries.isEmpty else { return }
        var log = try AuditLog(self)
        try log.append(entries, by: .current)
    }
}
