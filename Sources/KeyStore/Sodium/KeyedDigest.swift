internal import CSodium

/// BLAKE2b-256 with a key (RFC 7693): a MAC over what the store keeps in plain sight.
public enum KeyedDigest {
    /// The number of bytes of a digest and of its key.
    public static let byteCount = 32

    /// The digest of the message under the key of 32 bytes.
    /// - Throws: ``SodiumError/wrongLength(of:byteCount:)`` of the key.
    public static func digest(of message: [UInt8], key: GuardedBytes) throws(SodiumError) -> [UInt8] {
        try SodiumLibrary.prepare()
        guard key.count == byteCount else { throw .wrongLength(of: "digest key", byteCount: key.count) }
        var digest = [UInt8](repeating: 0, count: byteCount)
        let status = key.withBytes { key in
            crypto_generichash(
                &digest, byteCount, message, UInt64(message.count),
                key.bindMemory(to: UInt8.self).baseAddress, key.count)
        }
        guard status == 0 else { throw .failed(operation: "keyed digest") }
        return digest
    }
}
