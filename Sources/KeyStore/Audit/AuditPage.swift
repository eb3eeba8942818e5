/// Entries of the audit log that hold, and what is wrong with the one that would come next.
public struct AuditPage: Sendable {
    public let entries: [AuditEntry]
    /// Nil where all that were asked for hold, as far as there are so many.
    public let fault: KeyStoreError?
}
