import COpenSSL

/// A context that generates keys on P-256, kept per thread: to set one up costs more than to use it.
/// It holds the name of the curve and no key.
final class ECKeyGenerator {
    private static let kept = ThreadKept<ECKeyGenerator>()

    private let context: KeyContext

    /// A fresh `EVP_PKEY` by this thread's generator, the caller's to free.
    static func generate() throws(CryptoKitError) -> OpaquePointer {
        try kept.withValue { () throws(CryptoKitError) in
            try ECKeyGenerator()
        } _: { (generator) throws(CryptoKitError) in
            try generator.generate()
        }
    }

    private init() throws(CryptoKitError) {
        context = try KeyContext()
        try require(EVP_PKEY_keygen_init(context.handle))
        try require(EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context.handle, NID_X9_62_prime256v1))
    }

    private func generate() throws(CryptoKitError) -> OpaquePointer {
        var key: OpaquePointer?
        try require(EVP_PKEY_generate(context.handle, &key))
        return try require(key)
    }
}
