/// Hybrid public key encryption (RFC 9180) in modes base and PSK, with the one suite of ``HPKE/Ciphersuite``.
public enum HPKE: Sendable {}

extension HPKE {
    // The underscored names are CryptoKit's.

    /// What RFC 9180 7.1 calls KEM: DHKEM(P-256, HKDF-SHA256), 0x0010.
    public enum KEM: CaseIterable, Hashable, Sendable {
        /// DHKEM(P-256, HKDF-SHA256), 0x0010.
        // swift-format-ignore: AlwaysUseLowerCamelCase
        case P256_HKDF_SHA256

        var identifier: UInt16 { 0x0010 }
    }

    /// What RFC 9180 7.2 calls KDF: HKDF-SHA256, 0x0001.
    public enum KDF: CaseIterable, Hashable, Sendable {
        /// HKDF-SHA256, 0x0001.
        // swift-format-ignore: AlwaysUseLowerCamelCase
        case HKDF_SHA256

        var identifier: UInt16 { 0x0001 }
    }

    /// What RFC 9180 7.3 calls AEAD: AES-256-GCM, 0x0002.
    public enum AEAD: CaseIterable, Hashable, Sendable {
        /// AES-256-GCM, 0x0002.
        // swift-format-ignore: AlwaysUseLowerCamelCase
        case AES_GCM_256

        var identifier: UInt16 { 0x0002 }
    }
}
