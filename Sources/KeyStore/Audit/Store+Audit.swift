extension Store {
    /// As ``write(at:with:_:)``, and the operation is written to the audit log: in the same transaction when it is done,
    /// and when the store refuses it in one of its own.
    /// - Parameter subject: what it is done to: "conversation chat-1".
    func write<Result>(
        auditing operation: AuditOperation, _ subject: String, at now: Int64? = nil,
        with keys: ClassKeys = [:],
        _ body: (RecordTransaction) throws(KeyStoreError) -> Result
    ) throws(KeyStoreError) -> Result {
        try write(auditing: AuditNote(operation, subject), at: now, with: keys, body)
    }

    /// The same for what only turns out inside the transaction to be one operation or another.
    func write<Result>(
        auditing act: AuditNote?, at now: Int64? = nil, with keys: ClassKeys = [:],
        _ body: (RecordTransaction) throws(KeyStoreError) -> Result
    ) throws(KeyStoreError) -> Result {
        // What it waited for the operation it does not wait again for the entry that it was refused.
        try Patience.shared { () throws(KeyStoreError) in
            var refused = act
            do throws(KeyStoreError) {
                return try write(at: now, with: keys) { (rows) throws(KeyStoreError) in
                    rows.act = act
                    defer { refused = rows.attempt ?? rows.act }
                    return try body(rows)
                }
            } catch {
                if let refused { auditRefusal(of: refused, error, at: now) }
                throw error
            }
        }
    }

    /// Has a refusal of an operation that is more than one transaction written once; that it is done the body has written
    /// where it is.
    func auditingRefusals<Result>(
        of note: AuditNote, at now: Int64?, _ body: () throws(KeyStoreError) -> Result
    ) throws(KeyStoreError) -> Result {
        try Patience.shared { () throws(KeyStoreError) in
            do throws(KeyStoreError) { return try body() } catch {
                auditRefusal(of: note, error, at: now)
                throw error
            }
        }
    }

    /// Writes that something was refused, if it was the store that refused it and the log can be written now. What was
    /// asked for stays refused whether that succeeds or not.
    func auditRefusal(of note: AuditNote, _ error: KeyStoreError, at now: Int64?) {
        guard error.isRefusal else { return }
        try? write(at: now) { (rows) throws(KeyStoreError) in
            guard try rows.canAudit() else { return }
            rows.audit(note.refused(error.reason))
        }
    }
}

extension KeyStoreError {
    /// Whether the store would not, rather than could not.
    var isRefusal: Bool {
        switch kind {
        case .refused, .conflict, .notFound, .alreadyExists, .badInput, .authenticationFailed, .locked: true
        default: false
        }
    }
}
