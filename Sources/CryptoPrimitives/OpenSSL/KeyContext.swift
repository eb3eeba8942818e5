import COpenSSL

/// The owner of an `EVP_PKEY_CTX` made for one operation.
struct KeyContext: ~Copyable {
    let handle: OpaquePointer

    /// To make an elliptic curve key.
    init() throws(CryptoKitError) {
        handle = try require(EVP_PKEY_CTX_new_from_name(nil, "EC", nil))
    }

    /// To use the key.
    init(_ key: OpaquePointer) throws(CryptoKitError) {
        handle = try require(EVP_PKEY_CTX_new_from_pkey(nil, key, nil))
    }

    deinit {
        EVP_PKEY_CTX_free(handle)
    }
}
