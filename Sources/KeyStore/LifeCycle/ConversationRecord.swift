public import EnvelopeFormat

/// A conversation, as an operator sees it; no key material.
public struct ConversationRecord: Equatable, Sendable {
    public let conversation: ConversationIdentifier
    public let algorithm: KeyAlgorithm
    public let accessible: AccessibilityClass
    public let created: Int64
    /// After this time sealing is refused.
    public let until: Int64?
    /// The age in seconds at which an epoch is left by itself.
    public let maximumAge: Int64
    /// What is sealed under; nil when nothing is.
    public let active: KeyIdentifier?
    /// What a rekey waits to seal under.
    public let waiting: KeyIdentifier?
    /// By thumbprint.
    public let members: [MemberRecord]
    /// In the order in which they were made.
    public let handles: [HandleRecord]
}
