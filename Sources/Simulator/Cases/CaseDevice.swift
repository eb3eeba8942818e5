import EnvelopeFormat
import OpenerNSE

/// The device of a case: a ring, and what the steps before left behind.
struct CaseDevice {
    private let keychain: CaseKeychain
    private let replays = CaseReplays()
    private let allowsSplit: Bool

    /// - Throws: ``FormatError`` for a ring that is not as the format says.
    init(_ ring: JSONValue) throws(FormatError) {
        try CaseMembers.check(ring, CaseMembers.ring, "ring")
        try CaseMembers.check(ring["device"] ?? .null, CaseMembers.device, "ring, device")
        keychain = try CaseKeychain(ring)
        allowsSplit = ring["allow_split"] == .bool(true)
    }

    /// Opens the payload or takes the bundle of one step, in its environment.
    func take(_ step: JSONValue) throws(FormatError) -> (outcome: Outcome, answer: [JSONMember]) {
        let environment = step["env"] ?? .null
        try CaseMembers.check(environment, CaseMembers.environment, "env")
        let now = try CaseFile.integer(environment, "now")
        keychain.set(try CaseRecords.word(environment, "lock", LockState.self), now: now)
        replays.set(environment)
        if step["bundle"] != nil { return accept(try CaseFile.text(step, "bundle"), now: now) }
        guard let payload = Base64.decode(try CaseFile.text(step, "payload_b64")) else {
            throw FormatError(field: "payload_b64", reason: "not base64")
        }
        let opener = Opener(
            keychain: keychain, replays: replays, configuration: OpenerConfiguration(allowsSplit: allowsSplit))
        let opening: Opening
        if step["entry"] == .string("value") {
            opening = opener.open(sealed: SealedMember(try JSONValue.parse(payload)["encrypted_payload"]), now: now)
        } else {
            let limit = environment["limit"]?.plainInteger.map { Int($0) } ?? PayloadLimit.voip
            opening = opener.open(payload: payload, limit: limit, now: now)
        }
        var answer = [JSONMember("outcome", .string(opening.outcome.rawValue))]
        if let content = opening.newContent { answer.append(JSONMember("content", content.json)) }
        if opening.isReplayUnchecked { answer.append(JSONMember("replay_unchecked", .bool(true))) }
        return (opening.outcome, answer)
    }

    private func accept(_ text: String, now: Int64) -> (outcome: Outcome, answer: [JSONMember]) {
        let result = BundleAcceptance(keychain: keychain).accept(Array(text.utf8), now: now)
        var answer = [JSONMember("outcome", .string(result.outcome.rawValue))]
        if result.outcome == .installed, let bundle = result.bundle {
            let secret = bundle.secret.rawKey.withUnsafeBytes { Array($0) }
            answer.append(
                JSONMember(
                    "key",
                    .object([
                        JSONMember("sub", .string(bundle.conversation.string)),
                        JSONMember("jwe_alg", .string(bundle.algorithm.rawValue)),
                        JSONMember("kid", .string(bundle.kid.description)),
                        JSONMember("k", .string(Base64URL.encode(secret))),
                        JSONMember("accessible", .string(bundle.accessible.rawValue)),
                        JSONMember("seq", .integer(bundle.sequence)),
                    ])))
        }
        return (result.outcome, answer)
    }
}
