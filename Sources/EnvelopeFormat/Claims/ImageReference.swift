/// The `image` claim: where an image is fetched and how it is checked and opened.
public struct ImageReference: Sendable, Equatable {
    /// `https://` and one or more of 0x21 to 0x7E.
    public let url: String
    /// SHA-256 of the bytes as fetched, base64url of 32 bytes.
    public let sha256: String?
    /// The key of a sealed attachment, base64url of 32 bytes.
    public let key: String?

    /// - Throws: ``FormatError`` for an address, hash or key of another form.
    public init(url: String, sha256: String? = nil, key: String? = nil) throws(FormatError) {
        guard Self.isAllowed(url) else {
            throw FormatError(field: "image.url", reason: "not https:// followed by printable ASCII")
        }
        for (name, value) in [("sha256", sha256), ("key", key)] {
            guard let value else { continue }
            guard Base64URL.decode(value)?.count == 32 else {
                throw FormatError(field: "image.\(name)", reason: "not the base64url of 32 bytes")
            }
        }
        self.url = url
        self.sha256 = sha256
        self.key = key
    }

    init(_ json: JSONValue) throws(FormatError) {
        guard json.members != nil else { throw FormatError(field: "image", reason: "not an object") }
        guard let url = try ClaimReader.text(json, "url", in: "image") else {
            throw FormatError(field: "image.url", reason: "missing")
        }
        try self.init(
            url: url, sha256: try ClaimReader.text(json, "sha256", in: "image"),
            key: try ClaimReader.text(json, "key", in: "image"))
    }

    /// Whether an image may be fetched from there: https only.
    public static func isAllowed(_ url: String) -> Bool {
        let prefix = "https://".utf8
        let text = url.utf8
        return text.count > prefix.count && text.starts(with: prefix) && text.allSatisfy { (0x21...0x7E).contains($0) }
    }

    var json: JSONValue {
        var members = [JSONMember("url", .string(url))]
        if let sha256 { members.append(JSONMember("sha256", .string(sha256))) }
        if let key { members.append(JSONMember("key", .string(key))) }
        return .object(members)
    }
}

/// What it says is for the one who opened it, and not for logs.
extension ImageReference: CustomStringConvertible, CustomReflectable {
    public var description: String { "ImageReference" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
