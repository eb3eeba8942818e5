public import EnvelopeFormat

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
