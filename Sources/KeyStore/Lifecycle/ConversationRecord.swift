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
    public let members: [MemberRecord]
    /// In the order in which they were made.
    public let handles: [HandleRecord]
}

/// A member of a conversation.
public struct MemberRecord: Equatable, Sendable {
    public let device: DeviceThumbprint
    public let name: String
    /// What it acknowledged last, of the secrets in use.
    public let acknowledged: KeyIdentifier?
}

/// A conversation secret by its handle.
public struct HandleRecord: Equatable, Sendable {
    public let handle: Handle
    public let state: KeyState
    /// The newest epoch.
    public let epoch: Int
    public let created: Int64
    public let activatedAt: Int64?
    /// When the newest epoch was made; nil before activation.
    public let epochStartedAt: Int64?
    /// Until when devices open what was sealed under it.
    public let openUntil: Int64?
    /// When a waiting secret becomes active by itself.
    public let promoteAt: Int64?
    /// The number of seals leased under the newest epoch.
    public let leasedCount: Int64
    /// What a split key is called: `split:` and 8 hexadecimal digits.
    public let splitName: String?
}
