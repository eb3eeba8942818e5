internal import COpenSSL

/// OpenSSL without what an extension has no use for: half of its start, and a quarter of a megabyte.
enum SmallStart {
    /// Has to come before anything else of OpenSSL's. There is no file of settings then, there are no texts of errors, and algorithms
    /// have the names alone by which they are fetched.
    /// - Returns: false where OpenSSL cannot be started at all.
    static func begin() -> Bool {
        let options =
            OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_LOAD_CRYPTO_STRINGS | OPENSSL_INIT_NO_ADD_ALL_CIPHERS
            | OPENSSL_INIT_NO_ADD_ALL_DIGESTS | OPENSSL_INIT_NO_ATEXIT
        return OPENSSL_init_crypto(UInt64(options), nil) == 1
    }
}
