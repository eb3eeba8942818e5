internal import CSodium
internal import CryptoPrimitives

/// Ed25519 (RFC 8032): a key that signs, made of its seed each time and wiped with it.
package final class SigningKey {
    static let seedByteCount = 32
    static let publicKeyByteCount = 32
    static let signatureByteCount = 64

    /// 32 bytes.
    let publicKey: [UInt8]
    private let secret: UnsafeMutablePointer<UInt8>

    private static let secretByteCount = 64

    /// - Throws: ``SodiumError/wrongLength(of:byteCount:)`` of the seed.
    init(seed: SymmetricKey) throws(SodiumError) {
        try SodiumLibrary.prepare()
        guard seed.bitCount == Self.seedByteCount * 8 else {
            throw .wrongLength(of: "seed", byteCount: seed.bitCount / 8)
        }
        let secret = UnsafeMutablePointer<UInt8>.allocate(capacity: Self.secretByteCount)
        secret.initialize(repeating: 0, count: Self.secretByteCount)
        self.secret = secret
        var publicKey = [UInt8](repeating: 0, count: Self.publicKeyByteCount)
        let status = seed.withUnsafeBytes { seed in
            guard let start = seed.bindMemory(to: UInt8.self).baseAddress else { return Int32(-1) }
            return crypto_sign_seed_keypair(&publicKey, secret, start)
        }
        self.publicKey = publicKey
        guard status == 0 else { throw .failed(operation: "key pair") }
    }

    deinit {
        sodium_memzero(secret, Self.secretByteCount)
        secret.deallocate()
    }

    /// 64 bytes.
    func signature(of message: [UInt8]) throws(SodiumError) -> [UInt8] {
        var signature = [UInt8](repeating: 0, count: Self.signatureByteCount)
        guard crypto_sign_detached(&signature, nil, message, UInt64(message.count), secret) == 0 else {
            throw .failed(operation: "signature")
        }
        return signature
    }

    /// Whether the signature is the key's; also not where lengths are others than of a signature and a key.
    package static func verify(_ signature: [UInt8], of message: [UInt8], by publicKey: [UInt8]) throws(SodiumError) -> Bool {
        try SodiumLibrary.prepare()
        guard signature.count == signatureByteCount, publicKey.count == publicKeyByteCount else { return false }
        return crypto_sign_verify_detached(signature, message, UInt64(message.count), publicKey) == 0
    }
}
