public import EnvelopeFormat

/// What a store's requests say unless they say otherwise.
public struct SealDefaults: Sendable, Equatable {
    public var type = "message"
    public var placeholder = Placeholder()
    public var padding = Padding.bucket
    public var overflow = Overflow.truncate
    public var platform = TargetPlatforms.apns

    public init() {}

    /// Reads `{type, placeholder, padding, overflow, platform}`, each optional.
    /// - Throws: ``FormatError`` naming the member at fault.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        let reader = try RequestReader(
            try JSONValue.parse(bytes), "defaults", ["type", "placeholder", "padding", "overflow", "platform"])
        if let type = try reader.text("type") { self.type = type }
        if let value = reader.value("placeholder") { placeholder = try Placeholder(value) }
        if let padding = try reader.word("padding", Padding.self) { self.padding = padding }
        if let overflow = try reader.word("overflow", Overflow.self) { self.overflow = overflow }
        if let platform = try reader.word("platform", TargetPlatforms.self) { self.platform = platform }
        _ = try PayloadFrame(
            type: type, body: placeholder.canonicalBody, imageURL: nil, attributes: nil, limit: PayloadLimit.standard)
    }
}
