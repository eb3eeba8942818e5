public import EnvelopeFormat

/// What a backend wants sealed, and how it travels: one object (docs/request.md).
public struct SealRequest: Sendable {
    static let name = "request"
    private static let memberNames = [
        "conversation", "type", "placeholder", "title", "subtitle", "body", "loc_title", "loc_body", "thread", "category",
        "image", "image_url", "data", "expires", "platform", "aps", "apns", "device", "padding", "overflow", "limit",
        "idempotency_key",
    ]
    private static let contentNames = [
        "title", "subtitle", "body", "loc_title", "loc_body", "thread", "category", "image", "data",
    ]

    public var conversation: ConversationIdentifier
    /// The application's word for routing and metrics; in the clear. The store's default, else `message`.
    public var type: String?
    public var placeholder: Placeholder?
    /// What is sealed.
    public var content = Content()
    /// An image in the clear; ``Content/image`` is the better place.
    public var imageURL: String?
    /// Seconds since 1970, at most 31 days ahead.
    public var expires: Int64?
    public var platform: TargetPlatforms?
    public var attributes = RequestAttributes()
    public var delivery = DeliveryOptions()
    /// With `HPKE-7`: the one member to seal to, a thumbprint or an unambiguous start of it. All without.
    public var device: String?
    public var padding: Padding?
    public var overflow: Overflow?
    /// In bytes; never above what the platform takes.
    public var limit: Int?
    /// Makes retries safe: the same key and content give the same `jti`.
    public var idempotencyKey: String?

    public init(conversation: ConversationIdentifier) { self.conversation = conversation }

    /// Reads a request; an unknown member is an error.
    /// - Throws: ``FormatError`` naming the member at fault.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        try self.init(try JSONValue.parse(bytes))
    }

    /// Reads a request; an unknown member is an error.
    /// - Throws: ``FormatError`` naming the member at fault.
    public init(_ json: JSONValue) throws(FormatError) {
        let reader = try RequestReader(json, Self.name, Self.memberNames)
        guard let conversation = try reader.text("conversation") else {
            throw FormatError(field: "conversation", reason: "missing")
        }
        self.init(conversation: try ConversationIdentifier(conversation))
        type = try reader.text("type")
        if let value = reader.value("placeholder") { placeholder = try Placeholder(value) }
        for (claim, names) in ClaimNames.inside {
            if let value = reader.value(claim) { _ = try RequestReader(value, claim, names) }
        }
        content = try Content(
            claims: .object(json.members?.filter { member in Self.contentNames.contains { $0.isSame(as: member.name) } } ?? []))
        imageURL = try reader.text("image_url")
        expires = try Self.expires(reader)
        platform = try reader.word("platform", TargetPlatforms.self)
        if let value = reader.value("aps") { attributes = try RequestAttributes(value) }
        if let value = reader.value("apns") { delivery = try DeliveryOptions(value) }
        device = try reader.text("device")
        padding = try reader.word("padding", Padding.self)
        overflow = try reader.word("overflow", Overflow.self)
        limit = try reader.integer("limit").map { Int($0) }
        idempotencyKey = try reader.text("idempotency_key")
        if let idempotencyKey, idempotencyKey.isEmpty { throw FormatError(field: "idempotency_key", reason: "empty") }
    }

    private static func expires(_ reader: RequestReader) throws(FormatError) -> Int64? {
        guard case .string(let text)? = reader.value("expires") else { return try reader.integer("expires") }
        guard let time = Timestamp.parse(text) else {
            throw FormatError(field: "expires", reason: "neither seconds since 1970 nor a time of RFC 3339")
        }
        return time
    }
}
