public import FoundationEssentials

extension P256.KeyAgreement {
    /// A private key on P-256, held by OpenSSL and wiped when the last copy goes; not Codable, Hashable or printable.
    public struct PrivateKey: Sendable {
        let key: ECKey

        /// The public key that belongs to it.
        public let publicKey: PublicKey

        init(key: ECKey) throws(CryptoKitError) {
            self.key = key
            publicKey = try PublicKey(key: key)
        }

        /// A random key; a compact representable one has the smaller y of the two that share its x. Traps where the
        /// system gives no randomness.
        public init(compactRepresentable: Bool = true) {
            self = orTrap { () throws(CryptoKitError) -> PrivateKey in
                while true {
                    let made = try PrivateKey(key: .generate())
                    if !compactRepresentable || made.publicKey.isCompactRepresentable { return made }
                }
            }
        }

        /// The key of a scalar: `incorrectParameterSize` unless it has 32 bytes, `invalidParameter` outside 1...n-1.
        public init<Bytes: ContiguousBytes>(rawRepresentation: Bytes) throws {
            try self.init(key: ECKey.privateKey(rawRepresentation: rawRepresentation))
        }

        /// The scalar, 32 bytes, big-endian: the one door to it; the caller wipes its copy.
        public var rawRepresentation: Data {
            orTrap { () throws(CryptoKitError) -> Data in
                try Data(byteCount: P256.scalarByteCount) { (bytes) throws(CryptoKitError) in
                    try key.writeScalar(into: bytes)
                }
            }
        }

        /// The x coordinate of the agreed point, 32 bytes (SP 800-56A 5.7.1.2).
        public func sharedSecretFromKeyAgreement(with publicKeyShare: PublicKey) throws -> SharedSecret {
            SharedSecret(storage: try key.sharedSecret(with: publicKeyShare.key))
        }
    }
}

extension P256.KeyAgreement.PublicKey {
    /// Whether y is at most p - y: then x alone names the point (draft-jivsov-ecc-compact).
    var isCompactRepresentable: Bool {
        let y = rawRepresentation.suffix(P256.scalarByteCount)
        return !P256.halfOfPrime.lexicographicallyPrecedes(y)
    }
}
