public import EnvelopeFormat

/// An epoch that a device holds. All but the secret can be read when the device is locked.
public struct HeldEpochRecord: Sendable {
    public let conversation: ConversationIdentifier
    public let algorithm: KeyAlgorithm
    public let kid: KeyIdentifier
    public let state: KeyState
    /// Until when it opens; nil for no end.
    public let openUntil: Int64?
    public let accessible: AccessibilityClass
    /// The order in which the first bundles of handles were installed.
    public let installOrder: Int64
    /// Absent once its time is over and the bytes are erased.
    public let secret: Reading<ConversationSecret>

    public init(
        conversation: ConversationIdentifier, algorithm: KeyAlgorithm, kid: KeyIdentifier, state: KeyState = .active,
        openUntil: Int64? = nil, accessible: AccessibilityClass, installOrder: Int64,
        secret: Reading<ConversationSecret> = .absent
    ) {
        self.conversation = conversation
        self.algorithm = algorithm
        self.kid = kid
        self.state = state
        self.openUntil = openUntil
        self.accessible = accessible
        self.installOrder = installOrder
        self.secret = secret
    }
}
