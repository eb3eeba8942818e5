public import EnvelopeFormat

/// An entry of the audit log, as an operator sees it.
public struct AuditEntry: Equatable, Sendable {
    /// From 1 on, without a gap.
    public let number: Int64
    /// In seconds since 1970.
    public let at: Int64
    public let caller: Caller
    public let operation: AuditOperation
    /// What it was done to: "conversation chat-1".
    public let subject: String
    public let kid: KeyIdentifier?
    public let result: AuditResult
    /// Why, or with what.
    public let reason: String?

    init(_ row: AuditEntryRow) {
        number = row.number
        at = row.at
        caller = row.caller
        operation = row.operation
        subject = row.subject
        kid = row.kid
        result = row.result
        reason = row.reason
    }
}
