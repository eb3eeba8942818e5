/// What is sealed: a JWT claims set (RFC 7519) with the claims of the envelope spec, section 5.4.
public struct Claims: Sendable, Equatable {
    public let stamp: MessageStamp
    public let content: Content

    public var identifier: MessageIdentifier { stamp.identifier }
    public var validity: Validity { stamp.validity }
    public var conversation: ConversationIdentifier { stamp.conversation }

    /// - Throws: ``FormatError`` naming the claim that is not as the profile says.
    public init(
        identifier: MessageIdentifier, validity: Validity, conversation: ConversationIdentifier, content: Content
    ) throws(FormatError) {
        try content.check()
        stamp = MessageStamp(identifier: identifier, validity: validity, conversation: conversation)
        self.content = content
    }

    /// Reads a claims set; claims it does not know are passed over, `nbf` is refused.
    /// - Throws: ``FormatError`` naming the claim that is not as the profile says.
    public init(_ json: JSONValue) throws(FormatError) {
        guard json.members != nil else { throw FormatError(field: "claims", reason: "not an object") }
        guard json["nbf"] == nil else { throw FormatError(field: "nbf", reason: "not a claim of this profile") }
        guard let identifier = MessageIdentifier(try ClaimReader.requiredText(json, "jti")) else {
            throw FormatError(field: "jti", reason: "not the base64url of 16 bytes")
        }
        let validity = try Validity(
            issuedAt: try ClaimReader.requiredInteger(json, "iat"), expiresAt: try ClaimReader.integer(json, "exp"))
        let conversation = try ConversationIdentifier(try ClaimReader.requiredText(json, "sub"))
        try self.init(
            identifier: identifier, validity: validity, conversation: conversation, content: try Content(claims: json))
    }

    /// Reads the plaintext of a sealed payload: strict JSON, then padding.
    /// - Throws: ``FormatError`` for what is not JSON or not as the profile says.
    public init(plaintext: [UInt8]) throws(FormatError) {
        try self.init(try JSONReader.read(plaintext))
    }
}

extension ByteWriter {
    /// The claims as compact JSON in the order of the profile's table, without padding.
    package mutating func append(_ claims: Claims) { append(claims.stamp, claims.content) }

    /// The same of its parts, so that a sealer need not copy a request's content.
    package mutating func append(_ stamp: MessageStamp, _ content: Content) {
        append(#"{"jti":""#)
        stamp.identifier.withBytes { append(base64URL: $0) }
        append(#"","iat":"#)
        append(decimal: stamp.validity.issuedAt)
        if let expiresAt = stamp.validity.expiresAt {
            append(#","exp":"#)
            append(decimal: expiresAt)
        }
        append(#","sub":"#)
        append(quoted: stamp.conversation.string)
        append(content)
        append(UInt8(ascii: "}"))
    }

    private mutating func append(_ content: Content) {
        append(#","title":"#, content.title)
        append(#","subtitle":"#, content.subtitle)
        append(#","body":"#, content.body)
        append(#","loc_title":"#, content.localizedTitle?.json)
        append(#","loc_body":"#, content.localizedBody?.json)
        append(#","thread":"#, content.thread)
        append(#","category":"#, content.category)
        append(#","image":"#, content.image?.json)
        append(#","data":"#, content.data.map { .object($0) })
        if content.isTruncated { append(#","trunc":true"#) }
    }

    private mutating func append(_ name: StaticString, _ text: String?) {
        guard let text else { return }
        append(name)
        append(quoted: text)
    }

    private mutating func append(_ name: StaticString, _ value: JSONValue?) {
        guard let value else { return }
        append(name)
        append(json: value)
    }
}
