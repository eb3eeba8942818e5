package import CryptoPrimitives

/// Keys as base64url text and back, without a copy that outlives the call.
enum SecretText {
    /// The key of 32 bytes that the text is; nil for anything else.
    static func decode(_ text: SymmetricKey) -> SymmetricKey? {
        guard var bytes = text.withUnsafeBytes({ Base64Alphabet.url.decode($0.bindMemory(to: UInt8.self)) }) else {
            return nil
        }
        defer { wipe(&bytes) }
        return bytes.count == 32 ? SymmetricKey(data: bytes) : nil
    }
}

extension JSONValue {
    /// The value that the bytes are, and the key of 32 bytes that is one member of its object, where it is empty. The
    /// caller wipes the bytes.
    package static func parse(
        _ bytes: [UInt8], keyMember name: String
    ) throws(FormatError) -> (value: JSONValue, key: SymmetricKey) {
        let (value, secrets) = try JSONReader.read(bytes, secretMembers: [name])
        guard let text = secrets.first?.text, let key = SecretText.decode(text) else {
            throw FormatError(field: name, reason: "not the base64url of 32 bytes")
        }
        return (value, key)
    }
}

extension ByteWriter {
    /// The raw bytes of a key as base64url.
    package mutating func append(base64URL key: SymmetricKey) {
        key.withUnsafeBytes { append(base64URL: $0) }
    }
}
