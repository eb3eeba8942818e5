public import CryptoPrimitives

/// The key of a split conversation as it is carried by hand: `{"sub": cid, "k": base64url of 32 bytes, "until": integer}`.
public struct SplitKeyDocument: Sendable {
    public let conversation: ConversationIdentifier
    /// 32 bytes.
    public let key: SymmetricKey
    /// When the conversation ends, in seconds since 1970.
    public let until: Int64

    /// - Throws: ``FormatError`` for a key that is not of 32 bytes or a negative time.
    public init(conversation: ConversationIdentifier, key: SymmetricKey, until: Int64) throws(FormatError) {
        guard key.bitCount == 256 else { throw FormatError(field: "k", reason: "not of 32 bytes") }
        guard until >= 0 else { throw FormatError(field: "until", reason: "negative") }
        self.conversation = conversation
        self.key = key
        self.until = until
    }

    /// Reads a document of exactly `sub`, `k` and `until`. The caller wipes the bytes.
    /// - Throws: ``FormatError`` naming the member at fault.
    public init(parsing bytes: [UInt8]) throws(FormatError) {
        let (json, secrets) = try JSONReader.read(bytes, secretMembers: ["k"])
        guard let members = json.members else { throw FormatError(field: "split key", reason: "not an object") }
        guard let text = secrets.first?.text, let key = SecretText.decode(text) else {
            throw FormatError(field: "k", reason: "not the base64url of 32 bytes")
        }
        let conversation = try ConversationIdentifier(try ClaimReader.requiredText(json, "sub"))
        let until = try ClaimReader.requiredInteger(json, "until")
        guard members.count == 3 else { throw FormatError(field: "split key", reason: "an unknown member") }
        try self.init(conversation: conversation, key: key, until: until)
    }

    /// The document as compact JSON. It holds the key: the caller wipes it.
    public func json() -> [UInt8] {
        var writer = ByteWriter(capacity: 256)
        writer.append(#"{"sub":"#)
        writer.append(quoted: conversation.string)
        writer.append(#","k":""#)
        writer.append(base64URL: key)
        writer.append(#"","until":"#)
        writer.append(decimal: until)
        writer.append(UInt8(ascii: "}"))
        return writer.bytes
    }
}
