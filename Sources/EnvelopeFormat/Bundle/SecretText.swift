package import CryptoPrimitives

/// Keys as base64url text and back, without a copy that outlives the call.
enum SecretText {
    /// The key of 32 bytes that the text is; nil for anything else.
    static func decode(_ text: SymmetricKey) -> SymmetricKey? {
        text.withUnsafeBytes { decode($0) }
    }

    /// The same of characters that somebody else has, and wipes.
    static func decode(_ text: UnsafeRawBufferPointer) -> SymmetricKey? {
        guard text.count == Base64URL.encodedCount(32) else { return nil }
        var bytes = [UInt8](repeating: 0, count: 32)
        defer { wipe(&bytes) }
        let isText = bytes.withUnsafeMutableBufferPointer { bytes in
            bytes.baseAddress.map { SecretBase64URL.decode(text, into: $0) } ?? false
        }
        return isText ? SymmetricKey(data: bytes) : nil
    }

    /// The text of a key that a message carries. Nothing wipes it: it is sealed in the next step, and good for one file.
    static func encode(_ key: SymmetricKey) -> String {
        let count = Base64URL.encodedCount(key.bitCount / 8)
        return String(unsafeUninitializedCapacity: count) { output in
            guard let start = output.baseAddress else { return 0 }
            key.withUnsafeBytes { SecretBase64URL.encode($0, into: start) }
            return count
        }
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
        key.withUnsafeBytes { SecretBase64URL.encode($0, into: extend(Base64URL.encodedCount($0.count))) }
    }
}
