internal import EnvelopeFormat
internal import OpenerNSE

extension KeychainLedger {
    private static let version: Int64 = 1

    var json: [UInt8] {
        var members = [JSONMember("version", .integer(Self.version)), JSONMember("next_installation", .integer(nextInstallation))]
        if let lastSequence { members.append(JSONMember("last_seq", .integer(lastSequence))) }
        if let identity {
            members.append(
                JSONMember(
                    "identity",
                    .object([
                        JSONMember("public_key", .string(Base64URL.encode(identity.publicKey))),
                        JSONMember("name", .string(identity.name)), JSONMember("key_item", .string(identity.keyItem)),
                        JSONMember("secret_item", .string(identity.secretItem)),
                    ])))
        }
        members.append(JSONMember("installed", .array(installed.map { .string(Base64URL.encode($0)) })))
        members.append(JSONMember("epochs", .array(epochs.map(Self.json))))
        members.append(JSONMember("split_keys", .array(splitKeys.map(Self.json))))
        return JSONValue.object(members).write()
    }

    /// nil for what is no ledger: one that cannot be read is not an empty one.
    init?(json bytes: [UInt8]) {
        guard let json = try? JSONValue.parse(bytes), json["version"]?.plainInteger == Self.version,
            let next = json["next_installation"]?.plainInteger, case .array(let digests)? = json["installed"],
            case .array(let entries)? = json["epochs"], case .array(let keys)? = json["split_keys"]
        else { return nil }
        nextInstallation = next
        if let value = json["last_seq"] {
            guard let sequence = value.plainInteger else { return nil }
            lastSequence = sequence
        }
        if let value = json["identity"] {
            guard let identity = Self.identity(value) else { return nil }
            self.identity = identity
        }
        for value in digests {
            guard let digest = value.text.flatMap({ Base64URL.decode($0) }) else { return nil }
            installed.append(digest)
        }
        for value in entries {
            guard let entry = Self.entry(value) else { return nil }
            epochs.append(entry)
        }
        for value in keys {
            guard let key = Self.splitKey(value) else { return nil }
            splitKeys.append(key)
        }
    }

    private static func identity(_ json: JSONValue) -> LedgerIdentity? {
        guard let key = json["public_key"]?.text.flatMap({ Base64URL.decode($0) }), let name = json["name"]?.text,
            let keyItem = json["key_item"]?.text, let secretItem = json["secret_item"]?.text
        else { return nil }
        let identity = LedgerIdentity(publicKey: key, name: name, keyItem: keyItem, secretItem: secretItem)
        return identity.thumbprint == nil ? nil : identity
    }

    private static func json(_ entry: LedgerEpoch) -> JSONValue {
        let epoch = entry.epoch
        var members = [
            JSONMember("kid", .string(epoch.kid.description)), JSONMember("cid", .string(epoch.conversation.string)),
            JSONMember("alg", .string(epoch.algorithm.rawValue)), JSONMember("state", .string(epoch.state.rawValue)),
            JSONMember("accessible", .string(epoch.accessible.rawValue)), JSONMember("installation", .integer(epoch.installation)),
        ]
        if let end = epoch.openUntil { members.append(JSONMember("open_until", .integer(end))) }
        if let item = entry.item { members.append(JSONMember("item", .string(item))) }
        return .object(members)
    }

    private static func entry(_ json: JSONValue) -> LedgerEpoch? {
        guard let kid = json["kid"]?.text.flatMap({ KeyIdentifier($0) }),
            let conversation = json["cid"]?.text.flatMap({ try? ConversationIdentifier($0) }),
            let algorithm = json["alg"]?.text.flatMap(KeyAlgorithm.init(rawValue:)),
            let state = json["state"]?.text.flatMap(KeyState.init(rawValue:)),
            let accessible = json["accessible"]?.text.flatMap(AccessibilityClass.init(rawValue:)),
            let installation = json["installation"]?.plainInteger
        else { return nil }
        let end = json["open_until"]?.plainInteger
        guard json["open_until"] == nil || end != nil else { return nil }
        return LedgerEpoch(
            epoch: HeldEpoch(
                conversation: conversation, algorithm: algorithm, kid: kid, state: state, openUntil: end, accessible: accessible,
                installation: installation),
            item: json["item"]?.text)
    }

    private static func json(_ key: LedgerSplitKey) -> JSONValue {
        var members = [
            JSONMember("name", .string(Base64URL.encode(key.name))), JSONMember("cid", .string(key.conversation.string)),
            JSONMember("state", .string(key.state.rawValue)), JSONMember("until", .integer(key.until)),
        ]
        if let item = key.item { members.append(JSONMember("item", .string(item))) }
        return .object(members)
    }

    private static func splitKey(_ json: JSONValue) -> LedgerSplitKey? {
        guard let name = json["name"]?.text.flatMap({ Base64URL.decode($0) }),
            let conversation = json["cid"]?.text.flatMap({ try? ConversationIdentifier($0) }),
            let state = json["state"]?.text.flatMap(KeyState.init(rawValue:)), let until = json["until"]?.plainInteger
        else { return nil }
        return LedgerSplitKey(name: name, conversation: conversation, until: until, state: state, item: json["item"]?.text)
    }
}
