/// What came of an audited operation.
public enum AuditResult: String, Sendable, CaseIterable {
    case done
    /// Refused by the store, and nothing else changed.
    case refused
}
