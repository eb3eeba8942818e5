public import EnvelopeFormat
public import OpenerNSE

extension ShownNotification {
    /// As it stands in a message.
    public var json: JSONValue {
        func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        return .object([
            JSONMember("base", .string(base.rawValue)), JSONMember("outcome", .string(outcome.rawValue)),
            JSONMember("title", text(self.text.title)),
            JSONMember("subtitle", text(self.text.subtitle)), JSONMember("body", text(self.text.body)),
            JSONMember("thread", text(thread)), JSONMember("category", text(category)),
            JSONMember("user_info", .object(userInfo)), JSONMember("silent", .bool(isSilent)),
            JSONMember("suppressible", .bool(isSuppressible)), JSONMember("replay_unchecked", .bool(isReplayUnchecked)),
            JSONMember(
                "attachment",
                attachment.map { image in
                    .object([
                        JSONMember("path", .string(image.path)), JSONMember("type", .string(image.type.rawValue)),
                        JSONMember("unscaled", image.unscaled.map { .string($0.rawValue) } ?? .null),
                    ])
                } ?? .null),
        ])
    }

    public init(_ json: JSONValue) throws(ChannelError) {
        guard let base = json["base"]?.text.flatMap(Base.init(rawValue:)),
            let outcome = json["outcome"]?.text.flatMap(Outcome.init(rawValue:)), let userInfo = json["user_info"]?.members
        else { throw .malformed("notification") }
        self.init(
            placeholder: ShownText(title: json["title"]?.text, subtitle: json["subtitle"]?.text, body: json["body"]?.text),
            outcome: outcome)
        self.base = base
        thread = json["thread"]?.text
        category = json["category"]?.text
        self.userInfo = userInfo
        isSilent = json["silent"] == .bool(true)
        isReplayUnchecked = json["replay_unchecked"] == .bool(true)
        isSuppressible = json["suppressible"] == .bool(true)
        guard let image = json["attachment"], image != .null else { return }
        guard let path = image["path"]?.text, let type = image["type"]?.text.flatMap(ImageType.init(rawValue:)) else {
            throw .malformed("attachment")
        }
        attachment = AttachedImage(path: path, type: type, unscaled: image["unscaled"]?.text.flatMap(UnscaledReason.init))
    }
}
