import CryptoPrimitives
import EnvelopeFormat
import KeyStore

/// What a sealer keeps between seals: keys, what is left of their leases, and the last payload frame. All of it is dropped
/// when the store's generation changes and in a forked child.
struct SealingCache {
    private struct Entry {
        let key: SealingKey
        /// Seals that are left of the grants, which are used one after the other.
        var lease: Int
        var grants: [Range<Int64>]
        var lastGrant: Int

        /// What was used of each grant, those used up first.
        var uses: [LeaseUse] {
            var used = grants.reduce(0) { $0 + Int64($1.count) } - Int64(lease)
            return grants.map { grant in
                let part = min(used, Int64(grant.count))
                used -= part
                return LeaseUse(kid: key.kid, first: grant.lowerBound, used: part)
            }
        }
    }

    /// An object, so that looking at it copies nothing.
    private final class KeptFrame: Sendable {
        let key: FrameKey
        let frame: PayloadFrame

        init(_ frame: PayloadFrame, for key: FrameKey) {
            self.frame = frame
            self.key = key
        }
    }

    /// Enough for the busy part of a large store; past it the cache starts anew.
    private static let maximumCount = 65_536

    private var stamp: Generation.Stamp?
    private var forks = 0
    private var entries: [ConversationIdentifier: Entry] = [:]
    private var frame: KeptFrame?
    /// The store's key for requests with an idempotency key.
    private(set) var idempotencyKey: SymmetricKey?
    var hasIdempotencyKey: Bool { if case nil = idempotencyKey { false } else { true } }
    /// Leases that were let go, and of which the store is still to be told.
    private var ended: [LeaseUse] = []

    /// Drops everything unless the store is as it was and this the process that filled it.
    mutating func validate(_ current: Generation.Stamp) {
        guard stamp == current, current.isSettled, forks == ForkCount.current else {
            if forks == ForkCount.current {
                endLeases()
            } else {
                // They are the parent's, which goes on with them.
                entries.removeAll()
                ended.removeAll()
            }
            frame = nil
            idempotencyKey = nil
            stamp = current
            forks = ForkCount.current
            return
        }
    }

    /// The key, and so many seals under it taken from its lease, when that much is left.
    mutating func take(_ count: Int, of conversation: ConversationIdentifier, now: Int64) -> SealingKey? {
        guard let index = entries.index(forKey: conversation) else { return nil }
        let key = entries.values[index].key
        guard now < key.askAgainAt else { return nil }
        if key.algorithm != .hpke7 {
            guard entries.values[index].lease >= count else { return nil }
            entries.values[index].lease -= count
        }
        return key
    }

    /// The key and the size of its last lease, whatever is left of it.
    func key(of conversation: ConversationIdentifier, now: Int64) -> (key: SealingKey, lastGrant: Int)? {
        guard let entry = entries[conversation], now < entry.key.askAgainAt else { return nil }
        return (entry.key, entry.lastGrant)
    }

    /// Keeps a key for what the store was at `stamp`, with what is left of a grant after so many seals of it.
    /// - Parameter grant: nil where nothing is leased, and for a lease of which all is used at once.
    mutating func keep(
        _ key: SealingKey, of conversation: ConversationIdentifier, grant: Range<Int64>?, used: Int, granted: Int,
        at stamp: Generation.Stamp
    ) {
        var entry = Entry(key: key, lease: 0, grants: [], lastGrant: granted)
        if let last = entries[conversation] {
            if last.key === key {
                let standing = last.uses.enumerated().filter { $0.element.used < Int64(last.grants[$0.offset].count) }
                ended += last.uses.prefix(last.grants.count - standing.count)
                entry.grants = Array(last.grants.suffix(standing.count))
                // What was used of the first of them stays used.
                entry.lease = last.lease
            } else {
                ended += last.uses
            }
        }
        entries[conversation] = nil
        if let grant {
            entry.grants.append(grant)
            entry.lease += grant.count - used
        }
        guard stamp.isSettled, stamp == self.stamp else {
            ended += entry.uses
            return
        }
        if entries.count >= Self.maximumCount { endLeases() }
        entries[conversation] = entry
    }

    /// Keeps the store's key for what the store was at `stamp`.
    mutating func keep(idempotencyKey key: SymmetricKey, at stamp: Generation.Stamp) {
        if stamp.isSettled, stamp == self.stamp { idempotencyKey = key }
    }

    /// What is kept, in numbers.
    var usage: SealerUsage {
        SealerUsage(
            keyCount: entries.count, leasedCount: entries.values.reduce(0) { $0 + $1.lease },
            mostLeased: entries.values.compactMap { $0.grants.last?.upperBound }.max())
    }

    /// Has the next seal ask the store for the key.
    mutating func forget(_ conversation: ConversationIdentifier) {
        if let entry = entries.removeValue(forKey: conversation) { ended += entry.uses }
    }

    /// Lets every lease go.
    mutating func endLeases() {
        for entry in entries.values where !entry.grants.isEmpty { ended += entry.uses }
        entries.removeAll()
    }

    /// Leases of which the store is to be told now, and that are forgotten here.
    mutating func takeEnded(_ count: Int) -> [LeaseUse] {
        guard forks == ForkCount.current else { return [] }
        let taken = Array(ended.suffix(count))
        ended.removeLast(taken.count)
        return taken
    }

    /// Puts back what could not be told.
    mutating func returnEnded(_ uses: [LeaseUse]) { ended += uses }

    /// The frame made last, if it is the one for the request.
    func frame(for request: SealRequest, platform: Platform, isObject: Bool, limit: Int) -> PayloadFrame? {
        guard let frame, frame.key.matches(request, platform: platform, isObject: isObject, limit: limit) else { return nil }
        return frame.frame
    }

    mutating func keep(_ made: PayloadFrame, for key: FrameKey) { frame = KeptFrame(made, for: key) }
}
