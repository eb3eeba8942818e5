import CryptoPrimitives

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

extension ByteWriter {
    /// The raw bytes of a key as base64url.
    mutating func append(base64URL key: SymmetricKey) {
        key.withUnsafeBytes { append(base64URL: $0) }
    }
}
