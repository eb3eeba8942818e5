public import EnvelopeFormat

/// What a device knows of one epoch it holds, the secret apart; readable in every lock state.
public struct HeldEpoch: Sendable, Equatable {
    public let conversation: ConversationIdentifier
    public let algorithm: KeyAlgorithm
    public let kid: KeyIdentifier
    /// The state of the handle: the same for all its epochs.
    public var state: KeyState
    /// Seconds since 1970; at it the epoch still opens, past it no more. nil: no end.
    public var openUntil: Int64?
    public let accessible: AccessibilityClass
    /// Which handle was installed before which on this device: the order of their first bundles.
    public let installation: Int64

    public init(
        conversation: ConversationIdentifier, algorithm: KeyAlgorithm, kid: KeyIdentifier, state: KeyState,
        openUntil: Int64?, accessible: AccessibilityClass, installation: Int64
    ) {
        self.conversation = conversation
        self.algorithm = algorithm
        self.kid = kid
        self.state = state
        self.openUntil = openUntil
        self.accessible = accessible
        self.installation = installation
    }

    /// Another epoch of the same handle.
    func at(_ kid: KeyIdentifier, openUntil: Int64?) -> HeldEpoch {
        HeldEpoch(
            conversation: conversation, algorithm: algorithm, kid: kid, state: state, openUntil: openUntil,
            accessible: accessible, installation: installation)
    }

    /// Whether its time is over.
    func isPast(at now: Int64) -> Bool { openUntil.map { $0 < now } ?? false }
}
