package import CryptoPrimitives

/// The claim `image` of a sealed attachment as it is handed around before it is sealed: the key is never in a `String`.
package struct AttachmentClaim: Sendable {
    /// Where the sealed file is fetched; nil where that is not known yet.
    package let url: String?
    /// Of the sealed file, 32 bytes.
    package let sha256: [UInt8]?
    /// 32 bytes.
    package let key: SymmetricKey

    /// - Throws: ``FormatError`` for an address, hash or key of another form.
    package init(url: String?, sha256: [UInt8]?, key: SymmetricKey) throws(FormatError) {
        if let url, !ImageReference.isAllowed(url) {
            throw FormatError(field: "image.url", reason: "not https:// followed by printable ASCII")
        }
        guard sha256 == nil || sha256?.count == 32 else {
            throw FormatError(field: "image.sha256", reason: "not of 32 bytes")
        }
        guard key.bitCount == AttachmentLayout.keyByteCount * 8 else {
            throw FormatError(field: "image.key", reason: "not of 32 bytes")
        }
        self.url = url
        self.sha256 = sha256
        self.key = key
    }

    /// Reads the claim; other members are ignored. The caller wipes the bytes.
    /// - Throws: ``FormatError`` naming the member at fault.
    package init(parsing bytes: [UInt8]) throws(FormatError) {
        let (json, secrets) = try JSONReader.read(bytes, secretMembers: ["key"])
        guard json.members != nil else { throw FormatError(field: "image", reason: "not an object") }
        guard json["key"] != nil else { throw FormatError(field: "image.key", reason: "missing") }
        guard let text = secrets.first?.text, let key = SecretText.decode(text) else {
            throw FormatError(field: "image.key", reason: "not the base64url of 32 bytes")
        }
        var hash: [UInt8]?
        if let text = try ClaimReader.text(json, "sha256", in: "image") {
            hash = Base64URL.decode(text)
            guard hash?.count == 32 else {
                throw FormatError(field: "image.sha256", reason: "not the base64url of 32 bytes")
            }
        }
        try self.init(url: try ClaimReader.text(json, "url", in: "image"), sha256: hash, key: key)
    }

    /// The claim as compact JSON. It holds the key: the caller wipes it.
    package func json() -> [UInt8] {
        var writer = ByteWriter(capacity: 256)
        writer.append("{")
        if let url {
            writer.append(#""url":"#)
            writer.append(quoted: url)
            writer.append(",")
        }
        if let sha256 {
            writer.append(#""sha256":""#)
            sha256.withUnsafeBytes { writer.append(base64URL: $0) }
            writer.append(#"","#)
        }
        writer.append(#""key":""#)
        writer.append(base64URL: key)
        writer.append(#""}"#)
        return writer.bytes
    }
}

/// What it says is not for logs.
extension AttachmentClaim: CustomStringConvertible, CustomReflectable {
    package var description: String { "AttachmentClaim" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
