import COpenSSL

/// The owner of an `EVP_PKEY_CTX` made for one operation with a key.
struct KeyContext: ~Copyable {
    let handle: OpaquePointer

    init(_ key: OpaquePointer) throws(CryptoKitError) {
        handle = try require(EVP_PKEY_CTX_new_from_pkey(nil, key, nil))
    }

    deinit {
        EVP_PKEY_CTX_free(handle)
    }
}
