public import EnvelopeFormat
public import OpenerNSE

extension HeldEpoch {
    /// As it stands in a message.
    public var json: JSONValue {
        .object([
            JSONMember("cid", .string(conversation.string)), JSONMember("alg", .string(algorithm.rawValue)),
            JSONMember("kid", .string(kid.description)), JSONMember("state", .string(state.rawValue)),
            JSONMember("until", openUntil.map { .integer($0) } ?? .null), JSONMember("class", .string(accessible.rawValue)),
            JSONMember("installation", .integer(installation)),
        ])
    }

    public init(_ json: JSONValue) throws(ChannelError) {
        guard let name = json["cid"]?.text, let conversation = try? ConversationIdentifier(name),
            let algorithm = json["alg"]?.text.flatMap(KeyAlgorithm.init(rawValue:)),
            let kid = json["kid"]?.text.flatMap({ KeyIdentifier($0) }),
            let state = json["state"]?.text.flatMap(KeyState.init(rawValue:)),
            let accessible = json["class"]?.text.flatMap(AccessibilityClass.init(rawValue:)),
            let installation = json["installation"]?.plainInteger
        else { throw .malformed("epoch") }
        self.init(
            conversation: conversation, algorithm: algorithm, kid: kid, state: state, openUntil: json["until"]?.plainInteger,
            accessible: accessible, installation: installation)
    }
}
