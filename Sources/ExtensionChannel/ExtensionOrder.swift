public import EnvelopeFormat
public import OpenerNSE

/// What an extension process is started for: one notification, and how the app is set up.
public struct ExtensionOrder: Sendable {
    public var identifier: String
    public var sealed: SealedMember
    public var imageURL: String?
    /// Seconds since 1970; never before, whatever the clock says.
    public let arrival: Int64
    public var placeholder: ShownText
    public var allowsSplit: Bool
    public var isSealedOnly: Bool
    public var canSuppress: Bool
    /// The shared container, a directory.
    public var container: String
    /// The languages of the phone's owner, as BCP 47 tags, the best first.
    public var languages: [String]
    /// What the app's base templates are written in.
    public var baseLanguage: String?
    /// From where images may be fetched.
    public var images = AddressPolicy()
    /// How many seconds of the extension's clock one second is.
    public var timeScale: Int
    /// Bytes that are allocated and kept first, so that a test can see the limit bite.
    public var plantedByteCount = 0

    public init(
        identifier: String, sealed: SealedMember, imageURL: String?, arrival: Int64, placeholder: ShownText, allowsSplit: Bool,
        isSealedOnly: Bool, canSuppress: Bool, container: String, languages: [String], timeScale: Int
    ) {
        self.identifier = identifier
        self.sealed = sealed
        self.imageURL = imageURL
        // What JSON takes; a clock that tells something else is wrong, and costs no notification.
        self.arrival = min(max(0, arrival), 1 << 53 - 1)
        self.placeholder = placeholder
        self.allowsSplit = allowsSplit
        self.isSealedOnly = isSealedOnly
        self.canSuppress = canSuppress
        self.container = container
        self.languages = languages
        self.timeScale = timeScale
    }

    public var message: ChannelMessage {
        let value: JSONValue? =
            switch sealed {
            case .absent: nil
            case .string(let text): .string(text)
            case .object(let members): .object(members)
            case .other: .null
            }
        func text(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
        return ChannelMessage(
            "order",
            [
                JSONMember("id", .string(identifier)), JSONMember("image_url", text(imageURL)),
                JSONMember("arrival", .integer(arrival)), JSONMember("title", text(placeholder.title)),
                JSONMember("subtitle", text(placeholder.subtitle)), JSONMember("body", text(placeholder.body)),
                JSONMember("split", .bool(allowsSplit)), JSONMember("sealed_only", .bool(isSealedOnly)),
                JSONMember("suppress", .bool(canSuppress)), JSONMember("container", .string(container)),
                JSONMember("languages", .array(languages.map { .string($0) })),
                JSONMember("hosts", images.allowedHosts.map { .array($0.map { .string($0) }) } ?? .null),
                JSONMember("ports", .array(images.allowedPorts.sorted().map { .integer($0) })),
                JSONMember("own_networks", .bool(images.allowsOwnNetworks)),
                JSONMember("base_language", text(baseLanguage)), JSONMember("scale", .integer(timeScale)),
                JSONMember("planted", .integer(plantedByteCount)),
            ] + (value.map { [JSONMember("sealed", $0)] } ?? []))
    }

    public init(_ message: ChannelMessage) throws(ChannelError) {
        let json = message.json
        guard message.name == "order", let identifier = json["id"]?.text, let arrival = json["arrival"]?.plainInteger,
            let container = json["container"]?.text, case .array(let languages)? = json["languages"],
            let scale = json["scale"]?.plainInteger, scale > 0, let planted = json["planted"]?.plainInteger
        else { throw .malformed("order") }
        self.init(
            identifier: identifier, sealed: SealedMember(json["sealed"]), imageURL: json["image_url"]?.text, arrival: arrival,
            placeholder: ShownText(title: json["title"]?.text, subtitle: json["subtitle"]?.text, body: json["body"]?.text),
            allowsSplit: json["split"] == .bool(true), isSealedOnly: json["sealed_only"] == .bool(true),
            canSuppress: json["suppress"] == .bool(true), container: container, languages: languages.compactMap(\.text),
            timeScale: Int(scale))
        baseLanguage = json["base_language"]?.text
        if case .array(let hosts)? = json["hosts"] { images.allowedHosts = hosts.compactMap(\.text) }
        if case .array(let ports)? = json["ports"] { images.allowedPorts = Set(ports.compactMap(\.plainInteger).map { Int($0) }) }
        images.allowsOwnNetworks = json["own_networks"] == .bool(true)
        plantedByteCount = Int(planted)
    }
}
