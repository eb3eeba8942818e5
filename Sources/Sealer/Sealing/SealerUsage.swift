import KeyStore

/// What a sealer keeps between seals, in numbers.
public struct SealerUsage: Equatable, Sendable {
    /// Keys of conversations.
    public let keyCount: Int
    /// Seals that are left of all leases.
    public let leasedCount: Int
    /// Of the key that is nearest to its end: how many seals were leased so far; nil where nothing is leased.
    public let mostLeased: Int64?

    /// Of that key: the seals until the next epoch comes by itself.
    public var leastHeadRoom: Int64? { mostLeased.map { SealingState.sealsOfAnEpoch - $0 } }
}
