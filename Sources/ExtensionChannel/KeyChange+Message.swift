import CryptoPrimitives
import EnvelopeFormat
public import OpenerNSE

extension ChannelMessage {
    /// The changes that an opening makes; their secrets stand beside, in order.
    public init(changes: [KeyChange]) throws(KeychainUnavailable) {
        var values: [JSONValue] = []
        var secrets: [SymmetricKey] = []
        for change in changes {
            switch change {
            case .add(let epoch, let secret):
                values.append(.object([JSONMember("add", epoch.json)]))
                secrets.append(secret.rawKey)
            case .set(let kid, let state, let openUntil):
                values.append(
                    .object([
                        JSONMember("set", .string(kid.description)), JSONMember("state", .string(state.rawValue)),
                        JSONMember("until", openUntil.map { .integer($0) } ?? .null),
                    ]))
            case .lastSequence, .installed: throw KeychainUnavailable(reason: "bundles are for the app")
            }
        }
        self.init("apply", [JSONMember("changes", .array(values))], secrets: secrets)
    }

    /// - Throws: `.malformed` for what is no change.
    public func changes() throws(ChannelError) -> [KeyChange] {
        guard case .array(let values)? = json["changes"] else { throw .malformed("list of changes") }
        var rest = secrets[...]
        var changes: [KeyChange] = []
        for value in values {
            if let epoch = value["add"] {
                guard let key = rest.popFirst(), let secret = try? ConversationSecret(key) else { throw .malformed("secret") }
                changes.append(.add(try HeldEpoch(epoch), secret))
            } else if let kid = value["set"]?.text.flatMap({ KeyIdentifier($0) }),
                let state = value["state"]?.text.flatMap(KeyState.init(rawValue:))
            {
                changes.append(.set(kid, state: state, openUntil: value["until"]?.plainInteger))
            } else {
                throw .malformed("change")
            }
        }
        return changes
    }
}
