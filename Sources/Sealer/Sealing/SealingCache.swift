import EnvelopeFormat
import KeyStore

/// What a sealer keeps between seals: keys, what is left of their leases, and the last payload frame. All of it is dropped
/// when the store's generation changes and in a forked child.
struct SealingCache {
    private struct Entry {
        let key: SealingKey
        var lease: Int
        var lastGrant: Int
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

    /// Drops everything unless the store is as it was and this the process that filled it.
    mutating func validate(_ current: Generation.Stamp) {
        guard stamp == current, current.isSettled, forks == ForkCount.current else {
            entries.removeAll()
            frame = nil
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

    /// Keeps a key for what the store was at `stamp`, with what is left of a lease of `granted`.
    mutating func keep(
        _ key: SealingKey, of conversation: ConversationIdentifier, lease: Int, granted: Int, at stamp: Generation.Stamp
    ) {
        guard stamp.isSettled, stamp == self.stamp else { return }
        if entries.count >= Self.maximumCount { entries.removeAll() }
        let left = entries[conversation].map { $0.key === key ? $0.lease : 0 } ?? 0
        entries[conversation] = Entry(key: key, lease: left + lease, lastGrant: granted)
    }

    /// Has the next seal ask the store for the key.
    mutating func forget(_ conversation: ConversationIdentifier) { entries[conversation] = nil }

    /// The frame made last, if it is the one for the request.
    func frame(for request: SealRequest, platform: Platform, isObject: Bool, limit: Int) -> PayloadFrame? {
        guard let frame, frame.key.matches(request, platform: platform, isObject: isObject, limit: limit) else { return nil }
        return frame.frame
    }

    mutating func keep(_ made: PayloadFrame, for key: FrameKey) { frame = KeptFrame(made, for: key) }
}
