import CryptoPrimitives

extension SelfTest {
    static let randomness = [
        Check("randomness, two draws", from: "no answer is known: neither is the other, nor one byte over and over") {
            // A system that gives one byte over and over is an error to begin with.
            guard try SystemRandomBytes.bytes(32) != SystemRandomBytes.bytes(32), try pooled() != pooled() else { return false }
            let headers = try [0, 1].map { _ in try SecretStream.sealing(GuardedBytes(randomCount: KeyWrap.keyByteCount)).header }
            guard headers[0] != headers[1] else { return false }
            return P256.KeyAgreement.PrivateKey().publicKey.x963Representation
                != P256.KeyAgreement.PrivateKey().publicKey.x963Representation
        }
    ]

    private static func pooled() throws(SystemRandomBytes.Unavailable) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 32)
        try bytes.withUnsafeMutableBytes { bytes in
            Result { () throws(SystemRandomBytes.Unavailable) in try RandomPool.fill(bytes) }
        }.get()
        return bytes
    }
}
