import CryptoPrimitives
import EnvelopeFormat
import KeyStore
import Synchronization

/// What a push is sealed with: kept between seals, else asked of the store.
extension PushSealer {
    /// How long keys are used before it is looked at whether the store is still there, in milliseconds.
    private static let longestTrust: Int64 = 250
    /// Of how many leases that were let go the store is told in one transaction.
    private static let endedAtOnce = 256
    /// How many rotations between asking for the key and leasing under it are put up with in one seal.
    private static let rotationsInBetween = 16

    /// The key of a conversation with so many seals under it, when both are at hand.
    func keptKey(of conversation: ConversationIdentifier, count: Int, now: Int64) throws(KeyStoreError) -> SealingKey? {
        let moment = CoarseClock.milliseconds
        if moment >= nextLook.load(ordering: .relaxed) {
            // A store that was removed changes no generation.
            try store.store.checkPlace()
            nextLook.store(moment + Self.longestTrust, ordering: .relaxed)
        }
        let generation = store.generation.read()
        return cache.withLock { cache in
            cache.validate(generation)
            return cache.take(count, of: conversation, now: now)
        }
    }

    /// Whether all that the request needs is kept: its key, which is not one of HPKE's scalar multiplications for each member, and
    /// with an idempotency key the store's.
    func isAtHand(_ request: SealRequest, now: Int64) -> Bool {
        cache.withLock { cache in
            guard let kept = cache.key(of: request.conversation, now: now), kept.key.algorithm != .hpke7 else { return false }
            return request.idempotencyKey == nil || cache.hasIdempotencyKey
        }
    }

    /// The store's key for `jti` of requests with a key of their own.
    func idempotencyKey() throws(KeyStoreError) -> SymmetricKey {
        let generation = store.generation.read()
        let kept = cache.withLock { cache in
            cache.validate(generation)
            return cache.idempotencyKey
        }
        if let kept { return kept }
        let key = try store.idempotencyKey()
        cache.withLock { $0.keep(idempotencyKey: key, at: generation) }
        return key
    }

    /// What is kept now.
    public var usage: SealerUsage { cache.withLock { $0.usage } }

    /// The key of the request's conversation, with as many seals leased under it as the request needs.
    func leasedKey(
        for request: SealRequest, _ stamp: MessageStamp, on platforms: [Platform], now: Int64
    ) throws -> SealingKey {
        let conversation = request.conversation
        var rotations = 0
        while true {
            let generation = store.generation.read()
            let kept = cache.withLock { cache in
                cache.validate(generation)
                return cache.key(of: conversation, now: now)
            }
            do {
                let key = try kept?.key ?? SealingKey(try store.sealingState(conversation, now: now))
                try check(request, stamp, for: platforms, with: key)
                let granted = key.algorithm == .hpke7 ? 0 : max(platforms.count, leasing.next(after: kept?.lastGrant ?? 0))
                let grant = granted > 0 ? try lease(granted, of: conversation, under: key, now: now) : nil
                cache.withLock { cache in
                    cache.keep(
                        key, of: conversation, grant: grant, used: platforms.count, granted: granted, at: generation)
                }
                return key
            } catch let error as KeyStoreError where error.kind == .conflict && rotations < Self.rotationsInBetween {
                // The epoch ended between two transactions, or the lease itself found that its time had come. Whether the
                // generation says so yet is another matter: who changed it may not have got to that.
                rotations += 1
                cache.withLock { $0.forget(conversation) }
            }
        }
    }

    /// So many seals, written down along with some leases that were let go; nil when all of them are used now.
    private func lease(
        _ count: Int, of conversation: ConversationIdentifier, under key: SealingKey, now: Int64
    ) throws(KeyStoreError) -> Range<Int64>? {
        lastLease.store(now, ordering: .relaxed)
        let ended = cache.withLock { $0.takeEnded(Self.endedAtOnce) }
        do {
            let grant = try store.leaseSeals(
                key.kid, of: conversation, count: count, isUsedAtOnce: leasing == .exact, ending: ended, now: now)
            return leasing == .exact ? nil : grant
        } catch {
            cache.withLock { $0.returnEnded(ended) }
            throw error
        }
    }

    /// Lets every lease go, and has the store write down how much of each was used. A sealer that is freed does so by
    /// itself, as well as it can then.
    public func endLeases(now: Int64) throws(SealingError) {
        cache.withLock { $0.endLeases() }
        while true {
            let ended = cache.withLock { $0.takeEnded(Self.endedAtOnce) }
            guard !ended.isEmpty else { return }
            do { try store.endLeases(ended, now: now) } catch {
                cache.withLock { $0.returnEnded(ended) }
                throw .store(error)
            }
        }
    }

    func frame(
        for request: SealRequest, on platform: Platform, isObject: Bool, limit: Int
    ) throws(FormatError) -> PayloadFrame {
        let kept = cache.withLock { $0.frame(for: request, platform: platform, isObject: isObject, limit: limit) }
        if let kept { return kept }
        let key = FrameKey(request, platform: platform, isObject: isObject, limit: limit)
        let made = try key.frame(defaults)
        cache.withLock { $0.keep(made, for: key) }
        return made
    }

    /// All that can be wrong with a request, before anything is leased for it: what is not sealed leaves no row.
    private func check(
        _ request: SealRequest, _ stamp: MessageStamp, for platforms: [Platform], with key: SealingKey
    ) throws {
        for platform in platforms {
            let limit = try limit(for: request, on: platform)
            let frame = try frame(for: request, on: platform, isObject: key.algorithm == .split, limit: limit)
            switch key.material {
            case .dir(_, let encodedHeader):
                try refuseDevice(request)
                var plaintext = ByteWriter(capacity: limit)
                _ = try plaintext.append(
                    plaintext: stamp, request.content, capacity: DirectEnvelope.capacity(room: frame.room, encodedHeader: encodedHeader),
                    padding: .none, overflow: request.overflow ?? defaults.overflow)
            case .split:
                try refuseDevice(request)
                _ = try splitText(request, on: platform, in: frame)
            case .hpke7: break
            }
        }
    }
}
