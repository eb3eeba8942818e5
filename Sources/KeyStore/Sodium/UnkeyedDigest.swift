internal import CSodium

/// BLAKE2b-256 without a key (RFC 7693).
enum UnkeyedDigest {
    /// The number of bytes of a digest.
    static let byteCount = 32

    static func digest(of message: [UInt8]) throws(SodiumError) -> [UInt8] {
        try SodiumLibrary.prepare()
        var digest = [UInt8](repeating: 0, count: byteCount)
        guard crypto_generichash(&digest, byteCount, message, UInt64(message.count), nil, 0) == 0 else {
            throw .failed(operation: "digest")
        }
        return digest
    }
}
