import CryptoPrimitives
import EnvelopeFormat
import ExtensionChannel
import OpenerNSE

/// What is asked about keys, while nobody else asks.
struct ChannelRecords: KeychainRecords {
    let channel: MessageChannel

    /// - Throws: what the phone says was wrong.
    func ask(_ message: ChannelMessage) throws(KeychainUnavailable) -> ChannelMessage {
        let answer: ChannelMessage
        do throws(ChannelError) { answer = try channel.ask(message) } catch {
            throw KeychainUnavailable(reason: error.description)
        }
        if let reason = answer.json["unavailable"]?.text {
            throw KeychainUnavailable(reason: reason, isLocked: answer.json["locked"] == .bool(true))
        }
        return answer
    }

    /// A secret that is there, absent or locked.
    func held<Value: Sendable>(
        _ message: ChannelMessage, _ value: (SymmetricKey) -> Value?
    ) throws(KeychainUnavailable) -> Held<Value> {
        let answer = try ask(message)
        switch try? HeldWord(answer.json) {
        case .absent: return .absent
        case .locked: return .locked
        case .value:
            guard let secret = answer.secrets.first, let value = value(secret) else { break }
            return .value(value)
        case nil: break
        }
        throw KeychainUnavailable(reason: "the answer is no key")
    }

    func epochs(of handle: Handle) throws(KeychainUnavailable) -> [HeldEpoch] {
        try epochs(ChannelMessage("epochs", [JSONMember("handle", .string(handle.string))]))
    }

    func epochs(in conversation: ConversationIdentifier, _ algorithm: KeyAlgorithm) throws(KeychainUnavailable)
        -> [HeldEpoch]
    {
        try epochs(
            ChannelMessage(
                "epochsIn", [JSONMember("cid", .string(conversation.string)), JSONMember("alg", .string(algorithm.rawValue))]))
    }

    private func epochs(_ message: ChannelMessage) throws(KeychainUnavailable) -> [HeldEpoch] {
        guard case .array(let values)? = try ask(message).json["epochs"] else {
            throw KeychainUnavailable(reason: "the answer is no list")
        }
        var epochs: [HeldEpoch] = []
        for value in values {
            do throws(ChannelError) { epochs.append(try HeldEpoch(value)) } catch {
                throw KeychainUnavailable(reason: error.description)
            }
        }
        return epochs
    }

    func secret(of kid: KeyIdentifier) throws(KeychainUnavailable) -> Held<ConversationSecret> {
        try held(ChannelMessage("secret", [JSONMember("kid", .string(kid.description))])) { try? ConversationSecret($0) }
    }

    func splitKeys() throws(KeychainUnavailable) -> [HeldSplitKey] {
        let answer = try ask(ChannelMessage("splitKeys"))
        guard case .array(let values)? = answer.json["keys"] else { throw KeychainUnavailable(reason: "the answer is no list") }
        var secrets = answer.secrets[...]
        var keys: [HeldSplitKey] = []
        for value in values {
            guard let state = value["state"]?.text.flatMap(KeyState.init(rawValue:)), let word = try? HeldWord(value) else {
                throw KeychainUnavailable(reason: "the answer is no key")
            }
            let key: Held<SymmetricKey>
            switch word {
            case .absent: key = .absent
            case .locked: key = .locked
            case .value:
                guard let secret = secrets.popFirst() else { throw KeychainUnavailable(reason: "a key is missing") }
                key = .value(secret)
            }
            keys.append(HeldSplitKey(state: state, openUntil: value["until"]?.plainInteger, key: key))
        }
        return keys
    }

    // An extension accepts no bundles, and so asks none of these.

    func lastSequence() throws(KeychainUnavailable) -> Int64? { throw Self.forTheApp }
    func hasInstalled(digest: [UInt8]) throws(KeychainUnavailable) -> Bool { throw Self.forTheApp }
    func nextInstallation() throws(KeychainUnavailable) -> Int64 { throw Self.forTheApp }

    private static let forTheApp = KeychainUnavailable(reason: "bundles are for the app")
}
