public import CryptoPrimitives

/// The `image` claim: where an image is fetched and how it is checked and opened.
public struct ImageReference: Sendable, Equatable {
    /// `https://` and one or more of 0x21 to 0x7E.
    public let url: String
    /// SHA-256 of the bytes as fetched: 32 bytes.
    public let sha256: [UInt8]?
    /// The key of a sealed attachment, for ``AttachmentOpener``: 32 bytes. nil where the image is not sealed.
    public let key: SymmetricKey?

    /// - Throws: ``FormatError`` for an address, hash or key of another form.
    public init(url: String, sha256: [UInt8]? = nil, key: SymmetricKey? = nil) throws(FormatError) {
        guard Self.isAllowed(url) else {
            throw FormatError(field: "image.url", reason: "not https:// followed by printable ASCII")
        }
        guard sha256.map({ $0.count == 32 }) ?? true else { throw FormatError(field: "image.sha256", reason: "not of 32 bytes") }
        guard key.map({ $0.bitCount == 256 }) ?? true else { throw FormatError(field: "image.key", reason: "not of 32 bytes") }
        self.url = url
        self.sha256 = sha256
        self.key = key
    }

    init(_ json: JSONValue) throws(FormatError) {
        guard json.members != nil else { throw FormatError(field: "image", reason: "not an object") }
        guard let url = try ClaimReader.text(json, "url", in: "image") else {
            throw FormatError(field: "image.url", reason: "missing")
        }
        let key = try Self.decoded(json, "key") { text in
            var text = text
            return text.withUTF8 { SecretText.decode(UnsafeRawBufferPointer($0)) }
        }
        let sha256 = try Self.decoded(json, "sha256") { text in Base64URL.decode(text).flatMap { $0.count == 32 ? $0 : nil } }
        try self.init(url: url, sha256: sha256, key: key)
    }

    private static func decoded<Value>(
        _ json: JSONValue, _ name: String, _ decode: (String) -> Value?
    ) throws(FormatError) -> Value? {
        guard let text = try ClaimReader.text(json, name, in: "image") else { return nil }
        guard let value = decode(text) else {
            throw FormatError(field: "image.\(name)", reason: "not the base64url of 32 bytes")
        }
        return value
    }

    /// Whether an image may be fetched from there: https only.
    public static func isAllowed(_ url: String) -> Bool {
        let prefix = "https://".utf8
        let text = url.utf8
        return text.count > prefix.count && text.starts(with: prefix) && text.allSatisfy { (0x21...0x7E).contains($0) }
    }

    var json: JSONValue {
        var members = [JSONMember("url", .string(url))]
        if let sha256 { members.append(JSONMember("sha256", .string(Base64URL.encode(sha256)))) }
        if let key { members.append(JSONMember("key", .string(SecretText.encode(key)))) }
        return .object(members)
    }

    /// Whether both say the same; keys are compared in constant time.
    public static func == (left: ImageReference, right: ImageReference) -> Bool {
        let isSameKey =
            switch (left.key, right.key) {
            case (nil, nil): true
            case (let one?, let other?): constantTimeEqual(one, other)
            default: false
            }
        return isSameKey && left.url == right.url && left.sha256 == right.sha256
    }
}

/// What it says is for the one who opened it, and not for logs.
extension ImageReference: CustomStringConvertible, CustomReflectable {
    public var description: String { "ImageReference" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
