import CryptoPrimitives
public import EnvelopeFormat

/// Opens sealed payloads on a device, check by check in the order of the envelope spec, section 9.
///
/// It never throws, and never shows anything from outside the seal.
public struct Opener<Keychain: DeviceKeychain>: Sendable {
    private let keychain: Keychain
    private let replays: any ReplayRecord
    private let configuration: OpenerConfiguration

    public init(keychain: Keychain, replays: any ReplayRecord, configuration: OpenerConfiguration) {
        self.keychain = keychain
        self.replays = replays
        self.configuration = configuration
    }

    /// Opens a whole payload, as it was sent.
    ///
    /// - Parameters:
    ///   - limit: the most bytes it may have.
    ///   - now: seconds since 1970.
    public func open(payload: [UInt8], limit: Int = PayloadLimit.voip, now: Int64) -> Opening {
        finish { (named) throws(Outcome) in
            try open(try SealedMember(payload: payload, limit: limit), Moment(arrival: now, now: now), &named)
        }
    }

    /// Opens what stands under `encrypted_payload`, for an extension, which is given a dictionary and never the bytes.
    ///
    /// - Parameters:
    ///   - arrival: when it came, in seconds since 1970, by which its validity and the ends of keys are judged; nil for `now`.
    ///   - now: seconds since 1970.
    public func open(sealed member: SealedMember, arrival: Int64? = nil, now: Int64) -> Opening {
        finish { (named) throws(Outcome) in
            if case .string(let text) = member, text.utf8.count > PayloadLimit.sealedText { throw .tooLarge }
            return try open(member, Moment(arrival: arrival ?? now, now: now), &named)
        }
    }

    /// What is shown for whatever does not open.
    var placeholder: ShownText { configuration.placeholder }

    private func finish(_ body: (inout KeyIdentifier?) throws(Outcome) -> Opened) -> Opening {
        var named: KeyIdentifier?
        do {
            let opened = try body(&named)
            return Opening(
                outcome: opened.isDuplicate ? .duplicate : .opened, isReplayUnchecked: opened.isReplayUnchecked,
                content: opened.content, shown: ShownText(opened.content, placeholder: configuration.placeholder),
                keyIdentifier: named)
        } catch {
            return Opening(
                outcome: error, isReplayUnchecked: false, content: nil, shown: configuration.placeholder,
                keyIdentifier: named)
        }
    }

    private func open(
        _ member: SealedMember, _ moment: Moment, _ named: inout KeyIdentifier?
    ) throws(Outcome) -> Opened {
        switch member {
        case .absent: throw .notSealed
        case .other: throw .malformed
        case .object(let members):
            guard configuration.allowsSplit else { throw .unsupported }
            let envelope = try SplitEnvelope(members)
            return Opened(try SplitOpening.open(envelope, with: try available(try keychain.splitKeys()), now: moment.arrival))
        case .string(let text):
            let payload = try SealedPayload(message: Array(text.utf8))
            named = payload.keyIdentifier
            return try open(payload, moment)
        }
    }

    private func open(_ payload: SealedPayload, _ moment: Moment) throws(Outcome) -> Opened {
        let key = try select(payload, now: moment.arrival)
        let plaintext = try decrypt(payload, with: key)
        guard let claims = try? Claims(plaintext: plaintext), claims.conversation == key.held.conversation else {
            throw .badClaims
        }
        try claims.validity.check(at: moment.arrival)
        let answer = replays.remember(
            claims.conversation, claims.identifier, until: claims.validity.end, now: moment.now)
        if answer != .seen { keep(key, now: moment.now) }
        return Opened(claims.content, isReplayUnchecked: answer == .unchecked, isDuplicate: answer == .seen)
    }

    /// Steps 6 to 9: the key that opens, or why there is none.
    private func select(_ payload: SealedPayload, now: Int64) throws(Outcome) -> SelectedKey {
        var deviceKey: P256.KeyAgreement.PrivateKey?
        if case .hpke7(let envelope) = payload {
            guard try available(try keychain.thumbprint()) == envelope.recipient else { throw .unknownKey }
        }
        guard let kid = payload.keyIdentifier else { throw .malformed }
        let epochs = try available(try keychain.epochs(of: kid.handle))
        guard let held = EpochRules.base(for: kid.epoch, among: epochs) else { throw .unknownKey }
        guard held.algorithm == payload.algorithm else { throw .unsupported }
        guard held.state.opens else { throw .keyRevoked }
        guard !held.isPast(at: now) else { throw .keyRetired }
        let secret = try readable(try available(try keychain.secret(of: held.kid)), ifAbsent: .keyRetired)
        if payload.algorithm == .hpke7 {
            deviceKey = try readable(try available(try keychain.deviceKey()), ifAbsent: .unknownKey)
        }
        return SelectedKey(
            kid: kid, held: held, secret: secret.stepped(kid.epoch - held.kid.epoch, in: held.conversation),
            deviceKey: deviceKey)
    }

    /// Step 10.
    private func decrypt(_ payload: SealedPayload, with key: SelectedKey) throws(Outcome) -> [UInt8] {
        switch (payload, key.deviceKey) {
        case (.dir(let envelope), _):
            return try envelope.open(with: key.secret.contentKey(in: key.held.conversation))
        case (.hpke7(let envelope), let deviceKey?):
            return try envelope.open(with: deviceKey, presharedKey: key.secret.presharedKey(in: key.held.conversation))
        case (.hpke7, nil): throw .unknownKey
        }
    }

    /// Keeps the step, and retires earlier handles. A keychain that will not take it costs nothing now: the next message
    /// steps again from where this one did.
    private func keep(_ key: SelectedKey, now: Int64) {
        func changes(_ records: any KeychainRecords) throws(KeychainUnavailable) -> [KeyChange] {
            EpochRules.opened(
                key.kid, secret: key.secret, held: try records.epochs(of: key.kid.handle),
                inConversation: try records.epochs(in: key.held.conversation, key.held.algorithm), now: now)
        }
        do {
            guard try !changes(keychain).isEmpty else { return }
            try keychain.update { records throws(KeychainUnavailable) in ((), try changes(records)) }
        } catch {}
    }

    private func available<Value>(
        _ value: @autoclosure () throws(KeychainUnavailable) -> Value
    ) throws(Outcome) -> Value {
        do { return try value() } catch { throw error.isLocked ? .keyLocked : .storeUnavailable }
    }

    private func readable<Value>(_ held: Held<Value>, ifAbsent outcome: Outcome) throws(Outcome) -> Value {
        switch held {
        case .value(let value): return value
        case .locked: throw .keyLocked
        case .absent: throw outcome
        }
    }
}

/// When a message came, by which it is judged, and when it is opened. Both in seconds since 1970.
private struct Moment {
    let arrival: Int64
    let now: Int64
}

/// A key that may open a payload, stepped to the epoch it needs.
private struct SelectedKey {
    let kid: KeyIdentifier
    let held: HeldEpoch
    let secret: ConversationSecret
    let deviceKey: P256.KeyAgreement.PrivateKey?
}
