import CryptoPrimitives
import EnvelopeFormat
import ExtensionChannel
import KeyStore
import OpenerNSE

/// Answers for the phone what its extension asks: keychain and replay record.
struct PhoneService {
    let store: DeviceStore
    let keychain: StoreKeychain
    let replays: StoreReplays
    let channel: MessageChannel

    init(_ store: DeviceStore, accessGroup: String?, _ channel: MessageChannel, now: Int64, keepsChanges: Bool) {
        self.store = store
        self.channel = channel
        keychain = StoreKeychain(store: store, now: now, keepsChanges: keepsChanges, accessGroup: accessGroup)
        replays = StoreReplays(store: store, remembers: keepsChanges)
    }

    /// Answers a question.
    /// - Throws: ``ChannelError`` for what is none, or when nobody listens.
    func answer(_ message: ChannelMessage) throws(ChannelError) {
        switch message.name {
        case "update": try update()
        case "remember": try channel.send(try remember(message))
        case "thumbprint":
            try channel.send(
                Self.answer { () throws(KeychainUnavailable) in
                    let thumbprint = try keychain.thumbprint()
                    return ChannelMessage("answer", [JSONMember("thumbprint", thumbprint.map { .string($0.string) } ?? .null)])
                })
        case "deviceKey":
            try channel.send(
                Self.answer { () throws(KeychainUnavailable) in
                    Self.message(try keychain.deviceKey()) { key in
                        var bytes = [UInt8](key.rawRepresentation)
                        defer { wipe(&bytes) }
                        return SymmetricKey(data: bytes)
                    }
                })
        default: try channel.send(try records(keychain, message))
        }
    }

    private func records(_ records: any KeychainRecords, _ message: ChannelMessage) throws(ChannelError) -> ChannelMessage {
        let json = message.json
        switch message.name {
        case "epochs":
            guard let handle = json["handle"]?.text.flatMap({ Handle($0) }) else { throw .malformed("handle") }
            return Self.answer { () throws(KeychainUnavailable) in Self.message(try records.epochs(of: handle)) }
        case "epochsIn":
            guard let name = json["cid"]?.text, let conversation = try? ConversationIdentifier(name),
                let algorithm = json["alg"]?.text.flatMap(KeyAlgorithm.init(rawValue:))
            else { throw .malformed("conversation") }
            return Self.answer { () throws(KeychainUnavailable) in Self.message(try records.epochs(in: conversation, algorithm)) }
        case "secret":
            guard let kid = json["kid"]?.text.flatMap({ KeyIdentifier($0) }) else { throw .malformed("kid") }
            return Self.answer { () throws(KeychainUnavailable) in
                Self.message(try records.secret(of: kid)) { $0.rawKey }
            }
        case "splitKeys":
            return Self.answer { () throws(KeychainUnavailable) in Self.message(try records.splitKeys()) }
        default: throw .malformed("question")
        }
    }

    /// One transaction of the store's, for as long as the extension asks within it.
    private func update() throws(ChannelError) {
        var failure: ChannelError?
        do throws(KeychainUnavailable) {
            _ = try keychain.update { records throws(KeychainUnavailable) in
                do throws(ChannelError) {
                    try channel.send(ChannelMessage("answer"))
                    while true {
                        let message = try channel.receive()
                        if message.name == "apply" { return ((), try message.changes()) }
                        guard message.name != "abandon" else { return ((), []) }
                        try channel.send(try self.records(records, message))
                    }
                } catch {
                    failure = error
                    throw KeychainUnavailable(reason: error.description)
                }
            }
        } catch {
            if let failure { throw failure }
            return try channel.send(Self.message(error))
        }
        try channel.send(ChannelMessage("answer"))
    }

    private func remember(_ message: ChannelMessage) throws(ChannelError) -> ChannelMessage {
        let json = message.json
        guard let name = json["cid"]?.text, let conversation = try? ConversationIdentifier(name),
            let identifier = json["jti"]?.text.flatMap({ MessageIdentifier($0) }), let until = json["until"]?.plainInteger,
            let now = json["now"]?.plainInteger
        else { throw .malformed("message identifier") }
        let answer = replays.remember(conversation, identifier, until: until, now: now)
        return ChannelMessage("answer", [JSONMember("answer", .string(answer.rawValue))])
    }

    // MARK: Answers

    private static func answer(_ body: () throws(KeychainUnavailable) -> ChannelMessage) -> ChannelMessage {
        do throws(KeychainUnavailable) { return try body() } catch { return message(error) }
    }

    private static func message(_ error: KeychainUnavailable) -> ChannelMessage {
        ChannelMessage(
            "answer", [JSONMember("unavailable", .string(error.reason)), JSONMember("locked", .bool(error.isLocked))])
    }

    private static func message(_ epochs: [HeldEpoch]) -> ChannelMessage {
        ChannelMessage("answer", [JSONMember("epochs", .array(epochs.map(\.json)))])
    }

    private static func message<Value>(_ held: Held<Value>, _ key: (Value) -> SymmetricKey) -> ChannelMessage {
        var secrets: [SymmetricKey] = []
        if case .value(let value) = held { secrets.append(key(value)) }
        return ChannelMessage("answer", [HeldWord(held).member], secrets: secrets)
    }

    private static func message(_ keys: [HeldSplitKey]) -> ChannelMessage {
        var secrets: [SymmetricKey] = []
        let values = keys.map { key in
            if case .value(let secret) = key.key { secrets.append(secret) }
            return JSONValue.object([
                JSONMember("state", .string(key.state.rawValue)), JSONMember("until", key.openUntil.map { .integer($0) } ?? .null),
                HeldWord(key.key).member,
            ])
        }
        return ChannelMessage("answer", [JSONMember("keys", .array(values))], secrets: secrets)
    }
}
