import CryptoPrimitives
import EnvelopeFormat
import OpenerNSE

/// What the device of a case holds, in memory.
struct CaseRecords: KeychainRecords, Sendable {
    var lock = LockState.unlocked
    /// Seconds since 1970: what is past its end is erased, and its name stays.
    var now: Int64 = 0
    private(set) var held: [(epoch: HeldEpoch, secret: ConversationSecret)] = []
    private var splits: [(key: HeldSplitKey, raw: SymmetricKey, accessible: AccessibilityClass)] = []
    private var last: Int64?
    private var digests: Set<[UInt8]> = []

    /// - Throws: ``FormatError`` for a ring that is not as the format says.
    init(_ ring: JSONValue) throws(FormatError) {
        last = ring["device"]?["last_seq"]?.plainInteger
        if case .array(let keys)? = ring["keys"] {
            for (index, key) in keys.enumerated() { try add(key, installation: Int64(index)) }
        }
        if case .array(let keys)? = ring["split_keys"] {
            for key in keys {
                let raw = SymmetricKey(data: try CaseFile.bytes(key, "k"))
                let state = try Self.word(key, "state", KeyState.self)
                let split = HeldSplitKey(state: state, openUntil: key["open_until"]?.plainInteger, key: .value(raw))
                splits.append((split, raw, try Self.word(key, "accessible", AccessibilityClass.self)))
            }
        }
    }

    private mutating func add(_ json: JSONValue, installation: Int64) throws(FormatError) {
        let conversation = try ConversationIdentifier(try CaseFile.text(json, "sub"))
        let algorithm = try Self.word(json, "jwe_alg", KeyAlgorithm.self)
        let state = try Self.word(json, "state", KeyState.self)
        let accessible = try Self.word(json, "accessible", AccessibilityClass.self)
        var epochs = [json]
        if case .array(let older)? = json["older"] { epochs += older }
        for epoch in epochs {
            guard let kid = KeyIdentifier(try CaseFile.text(epoch, "kid")) else {
                throw FormatError(field: "kid", reason: "malformed")
            }
            let record = HeldEpoch(
                conversation: conversation, algorithm: algorithm, kid: kid, state: state,
                openUntil: epoch["open_until"]?.plainInteger, accessible: accessible, installation: installation)
            held.append((record, try ConversationSecret(SymmetricKey(data: try CaseFile.bytes(epoch, "k")))))
        }
    }

    static func word<Word: RawRepresentable<String>>(
        _ json: JSONValue, _ name: String, _: Word.Type
    ) throws(FormatError) -> Word {
        guard let word = Word(exactly: try CaseFile.text(json, name)) else {
            throw FormatError(field: name, reason: "not a word of the format")
        }
        return word
    }

    func epochs(of handle: Handle) -> [HeldEpoch] { held.map(\.epoch).filter { $0.kid.handle == handle } }

    func epochs(in conversation: ConversationIdentifier, _ algorithm: KeyAlgorithm) -> [HeldEpoch] {
        held.map(\.epoch).filter { $0.conversation == conversation && $0.algorithm == algorithm }
    }

    func secret(of kid: KeyIdentifier) -> Held<ConversationSecret> {
        guard let item = held.first(where: { $0.epoch.kid == kid }),
            !isErased(item.epoch.state, openUntil: item.epoch.openUntil)
        else { return .absent }
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

    private func isErased(_ state: KeyState, openUntil: Int64?) -> Bool {
        state == .destroyed || openUntil.map { $0 < now } ?? false
    }

    func lastSequence() -> Int64? { last }

    func hasInstalled(digest: [UInt8]) -> Bool { digests.contains(digest) }

    func nextInstallation() -> Int64 { (held.map(\.epoch.installation).max() ?? -1) + 1 }

    mutating func apply(_ change: KeyChange) {
        switch change {
        case .add(let epoch, let secret):
            if !held.contains(where: { $0.epoch.kid == epoch.kid }) { held.append((epoch, secret)) }
        case .set(let kid, let state, let openUntil):
            for index in held.indices where held[index].epoch.kid == kid {
                held[index].epoch.state = state
                held[index].epoch.openUntil = openUntil
            }
        case .lastSequence(let sequence): last = sequence
        case .installed(let digest): digests.insert(digest)
        }
    }
}
