public import EnvelopeFormat

/// How much of a lease was used, by who lets it go.
public struct LeaseUse: Equatable, Sendable {
    public let kid: KeyIdentifier
    /// The number of the lease's first seal.
    public let first: Int64
    public let used: Int64

    public init(kid: KeyIdentifier, first: Int64, used: Int64) {
        self.kid = kid
        self.first = first
        self.used = used
    }
}
