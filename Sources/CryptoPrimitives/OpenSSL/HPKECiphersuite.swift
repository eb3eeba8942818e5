extension HPKE {
    /// KEM, KDF and AEAD together (RFC 9180 7); there is one of each here.
    public struct Ciphersuite: Sendable {
        /// DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM.
        // swift-format-ignore: AlwaysUseLowerCamelCase
        public static let P256_SHA256_AES_GCM_256 = Ciphersuite(
            kem: .P256_HKDF_SHA256, kdf: .HKDF_SHA256, aead: .AES_GCM_256)

        /// The key encapsulation mechanism.
        public let kem: KEM
        /// The key derivation function.
        public let kdf: KDF
        /// The authenticated encryption.
        public let aead: AEAD

        /// The three together.
        public init(kem: KEM, kdf: KDF, aead: AEAD) {
            self.kem = kem
            self.kdf = kdf
            self.aead = aead
        }

        /// suite_id of the key schedule (RFC 9180 5.1).
        var identifier: [UInt8] {
            Array("HPKE".utf8) + [kem.identifier, kdf.identifier, aead.identifier].flatMap(bigEndianBytes)
        }

        /// suite_id of the KEM (RFC 9180 4.1).
        var kemIdentifier: [UInt8] { Array("KEM".utf8) + bigEndianBytes(kem.identifier) }
    }
}

/// I2OSP(value, 2) (RFC 8017 4.1).
func bigEndianBytes(_ value: UInt16) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 0xFF)] }
