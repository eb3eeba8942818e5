/// What came of verifying an audit log.
public struct AuditVerification: Equatable, Sendable {
    /// The first entry that does not hold.
    public struct Fault: Equatable, Sendable {
        public let number: Int64
        /// Why, as a phrase: "it is not there".
        public let reason: String
    }

    /// What could not be told, for want of a key or a checkpoint.
    public enum Unchecked: String, Sendable, CaseIterable {
        /// Without the key file: whoever holds the store's keys could have written all of it anew.
        case macs
        /// Without a checkpoint: an older state of the whole log could have been put back.
        case tail
        /// Without the key file: the checkpoint was judged by the store's own key.
        case signer
    }

    /// How many entries hold, from the first on.
    public let entries: Int64
    public let fault: Fault?
    /// The last entry that the checkpoint vouches for; nil without one.
    public let checkpoint: Int64?
    public let unchecked: [Unchecked]

    public var holds: Bool { fault == nil }
}
