public import EnvelopeFormat

/// What one transaction of a ``RotationRun`` did.
public struct RotationBatch: Sendable {
    /// A conversation that was rotated: what is sealed under now, and what waits.
    public struct Rotated: Equatable, Sendable {
        public let conversation: ConversationIdentifier
        public let active: KeyIdentifier
        public let waiting: KeyIdentifier?
        /// What they are called: the kid, or of a split key its own name.
        public let activeName: String
        public let waitingName: String?
    }

    /// A conversation that could not be.
    public struct Failure: Equatable, Sendable {
        public let conversation: ConversationIdentifier
        public let error: KeyStoreError
    }

    public var rotated: [Rotated] = []
    public var failures: [Failure] = []
    /// The number of conversations that were looked at.
    public var count = 0
    /// Whether there is nothing left to do.
    public var isLast = false
}
