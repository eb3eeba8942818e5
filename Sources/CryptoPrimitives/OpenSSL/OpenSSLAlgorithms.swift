import COpenSSL

/// What is fetched from OpenSSL once for the process and never freed: a fetch by name costs more than a short seal.
enum OpenSSLAlgorithms {
    nonisolated(unsafe) private static let fetchedCipher: OpaquePointer? = EVP_CIPHER_fetch(nil, "AES-256-GCM", nil)
    nonisolated(unsafe) private static let fetchedDigest: OpaquePointer? = EVP_MD_fetch(nil, "SHA2-256", nil)
    nonisolated(unsafe) private static let madeGroup: OpaquePointer? = EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1)

    /// `EVP_CIPHER` of AES-256-GCM.
    static func aes256GCM() throws(CryptoKitError) -> OpaquePointer { try require(fetchedCipher) }

    /// `EVP_MD` of SHA-256.
    static func sha256() throws(CryptoKitError) -> OpaquePointer { try require(fetchedDigest) }

    /// `EC_GROUP` of P-256, only read.
    static func p256() throws(CryptoKitError) -> OpaquePointer { try require(madeGroup) }
}
