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

    /// A conversation that the run did not rotate, and that is no failure of it.
    public struct PassedOver: Equatable, Sendable {
        /// Why.
        public enum Reason: String, Sendable, CaseIterable {
            /// It has members, and no secret that is sealed under.
            case retired
            /// It has neither, having been retired or lost its last one.
            case noMember = "no_member"
            case suspended
            /// A rekey waits already.
            case waiting
            /// A split key has no epochs.
            case split
        }

        public let conversation: ConversationIdentifier
        public let reason: Reason
    }

    public var rotated: [Rotated] = []
    /// Those of an age that another run is for are not among them.
    public var passedOver: [PassedOver] = []
    public var failures: [Failure] = []
    /// The number of conversations that were looked at.
    public var count = 0
    /// Whether there is nothing left to do.
    public var isLast = false
}
