import CryptoPrimitives
import EnvelopeFormat
public import KeyStore
import Synchronization

/// Seals pushes with the keys of a sealer store: a request in, payloads that are ready to be sent out.
///
/// It fails closed: whatever goes wrong, there is no payload. Keys are kept between seals until the store's generation
/// changes, so that a seal costs no statement and one begun after a rotation returned uses the new key. Any number of
/// threads may seal at once.
public final class PushSealer: Sendable {
    let store: SealerStore
    let leasing: Leasing
    let defaults: SealDefaults
    let cache = Mutex(SealingCache())
    /// When to look whether the store is still in its place, in milliseconds.
    let nextLook = Atomic<Int64>(.min)
    /// When something was leased last, in seconds since 1970.
    let lastLease = Atomic<Int64>(0)

    /// - Throws: ``SealingError`` when the store's defaults cannot be read.
    public init(_ store: SealerStore, leasing: Leasing = .exact) throws(SealingError) {
        self.store = store
        self.leasing = leasing
        defaults = try Self.defaults(of: store)
    }

    deinit {
        // What cannot be told is unreported.
        try? endLeases(now: lastLease.load(ordering: .relaxed))
    }

    private static func defaults(of store: SealerStore) throws(SealingError) -> SealDefaults {
        let json: [UInt8]
        do { json = try store.store.defaults().json } catch { throw .store(error) }
        do { return try SealDefaults(parsing: json) } catch { throw .request(error) }
    }

    /// Seals once for each platform and, with `HPKE-7`, each member.
    ///
    /// - Parameters:
    ///   - caller: who asks, so that two callers' idempotency keys never meet.
    ///   - now: seconds since 1970, the `iat` of the message.
    /// - Returns: at least one payload; of one message all have the same `jti`.
    /// - Throws: ``SealingError``; that of the store with the subject `self-test` where ``SelfTest`` does not pass.
    public func seal(_ request: SealRequest, caller: String = "", now: Int64) throws(SealingError) -> [SealedPush] {
        try pushes(of: request, caller, isLeasing: true, now: now) ?? []
    }

    /// The same where it takes microseconds and waits for nobody: where the key is kept with seals left of its lease, and there is
    /// one payload for all devices; nil otherwise, and then nothing was used up.
    public func sealIfKept(_ request: SealRequest, caller: String = "", now: Int64) throws(SealingError) -> [SealedPush]? {
        try pushes(of: request, caller, isLeasing: false, now: now)
    }

    private func pushes(
        of request: SealRequest, _ caller: String, isLeasing: Bool, now: Int64
    ) throws(SealingError) -> [SealedPush]? {
        do {
            return try seal(checked: request, caller, isLeasing: isLeasing, now: now)
        } catch let error as SealingError {
            throw error
        } catch let error as FormatError {
            throw .request(error)
        } catch let error as KeyStoreError {
            throw .store(error)
        } catch let error as SystemRandomBytes.Unavailable {
            throw .failed("the system has no randomness (errno \(error.code))")
        } catch {
            throw .failed("a cryptographic function")
        }
    }

    private func seal(checked request: SealRequest, _ caller: String, isLeasing: Bool, now: Int64) throws -> [SealedPush]? {
        try SelfTest.require()
        try request.delivery.check()
        let platforms = (request.platform ?? defaults.platform).platforms
        guard isLeasing || isAtHand(request, now: now) else { return nil }
        let identifier = try identifier(for: request, caller)
        try request.content.check()
        let stamp = MessageStamp(
            identifier: identifier, validity: try Validity(issuedAt: now, expiresAt: request.expires),
            conversation: request.conversation)
        let kept = try keptKey(of: request.conversation, count: platforms.count, now: now)
        guard isLeasing || kept != nil else { return nil }
        let key = try kept ?? leasedKey(for: request, stamp, on: platforms, now: now)
        var pushes: [SealedPush] = []
        pushes.reserveCapacity(platforms.count)
        for platform in platforms {
            let limit = try limit(for: request, on: platform)
            let frame = try frame(for: request, on: platform, isObject: key.algorithm == .split, limit: limit)
            switch key.material {
            case .dir(let sealingKey, let encodedHeader):
                try refuseDevice(request)
                let rendered = try seal(stamp, request, in: frame, with: sealingKey, encodedHeader)
                pushes.append(SealedPush(rendered, of: stamp, request, on: platform, to: nil, kid: key.kid, limit: limit))
            case .hpke7(let presharedKey):
                for member in try recipients(of: request, among: key.members) {
                    let rendered = try seal(stamp, request, in: frame, to: member, kid: key.kid, presharedKey)
                    pushes.append(
                        SealedPush(rendered, of: stamp, request, on: platform, to: member.thumbprint, kid: key.kid, limit: limit))
                }
            case .split(let splitKey):
                try refuseDevice(request)
                let rendered = try seal(request, on: platform, in: frame, with: splitKey)
                pushes.append(SealedPush(rendered, of: stamp, request, on: platform, to: nil, kid: key.kid, limit: limit))
            }
        }
        return pushes
    }

    // MARK: One payload

    private func seal(
        _ stamp: MessageStamp, _ request: SealRequest, in frame: PayloadFrame, with key: AESGCMSealingKey,
        _ encodedHeader: [UInt8]
    ) throws -> RenderedPayload {
        var nonce: (UInt64, UInt32) = (0, 0)
        return try withUnsafeMutableBytes(of: &nonce) { nonce in
            let nonce = UnsafeMutableRawBufferPointer(rebasing: nonce[..<DirectEnvelope.nonceByteCount])
            try RandomPool.fill(nonce)
            return try frame.sealed(
                stamp, request.content, padding: request.padding ?? defaults.padding, overflow: request.overflow ?? defaults.overflow,
                encodedHeader: encodedHeader, key: key, nonce: UnsafeRawBufferPointer(nonce))
        }
    }

    private func seal(
        _ stamp: MessageStamp, _ request: SealRequest, in frame: PayloadFrame, to member: SealingState.Member, kid: KeyIdentifier,
        _ presharedKey: SymmetricKey
    ) throws -> RenderedPayload {
        let name = PresharedKeyIdentifier.conversation(kid)
        var sender = try HPKE.Sender(
            recipientKey: member.publicKey, ciphersuite: HPKEEnvelope.ciphersuite, info: Data(),
            presharedKey: presharedKey, presharedKeyIdentifier: Data(name.bytes))
        return try frame.sealed(
            stamp, request.content, padding: request.padding ?? defaults.padding, overflow: request.overflow ?? defaults.overflow,
            encodedHeader: HPKEEnvelope.encodedHeader(to: member.thumbprint, presharedKey: name), sender: &sender)
    }

    private func seal(
        _ request: SealRequest, on platform: Platform, in frame: PayloadFrame, with key: SymmetricKey
    ) throws -> RenderedPayload {
        let text = try splitText(request, on: platform, in: frame)
        let nonce = try AES.GCM.Nonce(data: try SystemRandomBytes.bytes(DirectEnvelope.nonceByteCount))
        let rendered = try frame.sealed(text.text, key: key, nonce: nonce)
        return text.isCut ? rendered.truncated : rendered
    }

    /// The text of a push in the split profile, cut if it must be.
    func splitText(
        _ request: SealRequest, on platform: Platform, in frame: PayloadFrame
    ) throws(FormatError) -> (text: String, isCut: Bool) {
        guard platform == .apns else { throw FormatError(field: "platform", reason: "the split profile is for APNs alone") }
        var others = request.content
        others.body = nil
        guard let body = request.content.body, others == Content(), request.expires == nil else {
            throw FormatError(field: "request", reason: "the split profile carries a body and nothing else")
        }
        let capacity = SplitEnvelope.capacity(room: frame.room)
        if body.utf8.count <= capacity { return (body, false) }
        guard (request.overflow ?? defaults.overflow) == .truncate else {
            throw FormatError(
                field: "body", reason: "\(body.utf8.count) bytes where \(max(0, capacity)) fit", doesNotFit: true)
        }
        return (try Truncation.cut(body, byteCount: capacity), true)
    }

    // MARK: Parts of a request

    private func recipients(of request: SealRequest, among members: [SealingState.Member]) throws(KeyStoreError) -> [SealingState.Member] {
        guard let device = request.device else { return members }
        let found = members.filter { $0.thumbprint.string.utf8.starts(with: device.utf8) }
        guard let member = found.first, !device.isEmpty else {
            throw KeyStoreError(.notFound, "device", "not a member of conversation \(request.conversation)")
        }
        guard found.count == 1 else { throw KeyStoreError(.badInput, "device", "\(found.count) members begin so") }
        return [member]
    }

    func refuseDevice(_ request: SealRequest) throws(FormatError) {
        guard request.device == nil else {
            throw FormatError(field: "device", reason: "one payload of this conversation is for all its devices")
        }
    }

    private func identifier(for request: SealRequest, _ caller: String) throws -> MessageIdentifier {
        if let requestKey = request.idempotencyKey {
            return try IdempotentIdentifier.make(
                storeKey: try idempotencyKey(), caller: caller, requestKey: requestKey, claims: request.content,
                conversation: request.conversation, expires: request.expires)
        }
        var words: (UInt64, UInt64) = (0, 0)
        try withUnsafeMutableBytes(of: &words) { try RandomPool.fill($0) }
        return MessageIdentifier(words)
    }

    func limit(for request: SealRequest, on platform: Platform) throws(FormatError) -> Int {
        let most = platform == .apns ? request.delivery.limit : PayloadLimit.standard
        guard let limit = request.limit else { return most }
        guard (1...most).contains(limit) else {
            throw FormatError(field: "limit", reason: "\(limit) where at most \(most) bytes are taken")
        }
        return limit
    }
}
