import CryptoPrimitives
import EnvelopeFormat
import OpenerNSE

/// What a device of the vectors holds. Every input finds it the same: what would change is dropped.
struct FuzzKeychain: DeviceKeychain {
    private var lock = LockState.unlocked
    private var now: Int64 = 0
    let key: P256.KeyAgreement.PrivateKey
    let secret: SymmetricKey
    private let identity: DeviceThumbprint
    private let last: Int64?
    private let held: [(epoch: HeldEpoch, secret: ConversationSecret)]
    private let splits: [(key: HeldSplitKey, accessible: AccessibilityClass)]

    init(_ ring: JSONValue) throws {
        let device = ring["device"] ?? .null
        key = try P256.KeyAgreement.PrivateKey(rawRepresentation: try (device["jwk"] ?? .null).bytes("d"))
        secret = SymmetricKey(data: try device.bytes("enrollment_secret"))
        identity = DeviceThumbprint(of: key.publicKey)
        last = device["last_seq"]?.plainInteger
        var held: [(epoch: HeldEpoch, secret: ConversationSecret)] = []
        for (index, handle) in ring.array("keys").enumerated() {
            for epoch in [handle] + handle.array("older") {
                guard let kid = KeyIdentifier(try epoch.text("kid")) else { throw FormatError(field: "kid", reason: "malformed") }
                let record = HeldEpoch(
                    conversation: try ConversationIdentifier(try handle.text("sub")), algorithm: try handle.word("jwe_alg"), kid: kid,
                    state: try handle.word("state"), openUntil: epoch["open_until"]?.plainInteger,
                    accessible: try handle.word("accessible"), installation: Int64(index))
                held.append((record, try ConversationSecret(SymmetricKey(data: try epoch.bytes("k")))))
            }
        }
        self.held = held
        splits = try ring.array("split_keys").map { split in
            let key = HeldSplitKey(
                state: try split.word("state"), openUntil: split["open_until"]?.plainInteger,
                key: .value(SymmetricKey(data: try split.bytes("k"))))
            return (key, try split.word("accessible"))
        }
    }

    /// The same device, in these circumstances.
    func under(_ circumstances: Circumstances) -> FuzzKeychain {
        var keychain = self
        keychain.lock = circumstances.lock
        keychain.now = circumstances.now
        return keychain
    }

    /// The first handle of an algorithm: what a fuzzer seals under.
    func first(_ algorithm: KeyAlgorithm) -> (epoch: HeldEpoch, secret: ConversationSecret)? {
        held.first { $0.epoch.algorithm == algorithm }
    }

    func thumbprint() -> DeviceThumbprint? { identity }
    func deviceKey() -> Held<P256.KeyAgreement.PrivateKey> { lock == .beforeFirstUnlock ? .locked : .value(key) }
    func enrollmentSecret() -> Held<SymmetricKey> { lock == .beforeFirstUnlock ? .locked : .value(secret) }

    func update<Result>(
        _ body: (any KeychainRecords) throws(KeychainUnavailable) -> (Result, [KeyChange])
    ) throws(KeychainUnavailable) -> Result { try body(self).0 }

    func epochs(of handle: Handle) -> [HeldEpoch] { held.map(\.epoch).filter { $0.kid.handle == handle } }

    func epochs(in conversation: ConversationIdentifier, _ algorithm: KeyAlgorithm) -> [HeldEpoch] {
        held.map(\.epoch).filter { $0.conversation == conversation && $0.algorithm == algorithm }
    }

    func secret(of kid: KeyIdentifier) -> Held<ConversationSecret> {
        guard let item = held.first(where: { $0.epoch.kid == kid }), !isErased(item.epoch.state, openUntil: item.epoch.openUntil) else {
            return .absent
        }
        return item.epoch.accessible.isReadable(in: lock) ? .value(item.secret) : .locked
    }

    func splitKeys() -> [HeldSplitKey] {
        splits.map { split in
            func held(_ key: Held<SymmetricKey>) -> HeldSplitKey {
                HeldSplitKey(state: split.key.state, openUntil: split.key.openUntil, key: key)
            }
            if isErased(split.key.state, openUntil: split.key.openUntil) { return held(.absent) }
            return split.accessible.isReadable(in: lock) ? split.key : held(.locked)
        }
    }

    /// What is past its end is erased, and its name stays.
    private func isErased(_ state: KeyState, openUntil: Int64?) -> Bool {
        state == .destroyed || openUntil.map { $0 < now } ?? false
    }

    func lastSequence() -> Int64? { last }
    func hasInstalled(digest: [UInt8]) -> Bool { false }
    func nextInstallation() -> Int64 { Int64(held.count) }
}

extension JSONValue {
    fileprivate func array(_ name: String) -> [JSONValue] {
        if case .array(let values)? = self[name] { values } else { [] }
    }

    fileprivate func word<Word: RawRepresentable<String>>(_ name: String) throws -> Word {
        guard let word = Word(exactly: try text(name)) else { throw FormatError(field: name, reason: "unknown") }
        return word
    }
}
