import COpenSSL

/// The owner of an `EVP_MD_CTX` of SHA-256; OpenSSL wipes the state when it is freed or reset.
final class DigestContext: @unchecked Sendable {
    static let digestByteCount = 32
    static let blockByteCount = 64

    private let handle: OpaquePointer

    init() throws(CryptoKitError) {
        handle = try require(EVP_MD_CTX_new())
        try start()
    }

    /// A copy with a state of its own.
    init(copying other: DigestContext) throws(CryptoKitError) {
        handle = try require(EVP_MD_CTX_new())
        try require(EVP_MD_CTX_copy_ex(handle, other.handle))
    }

    deinit {
        EVP_MD_CTX_free(handle)
    }

    /// Begins anew.
    func start() throws(CryptoKitError) {
        try require(EVP_DigestInit_ex2(handle, OpenSSLAlgorithms.sha256(), nil))
    }

    func update(_ bytes: UnsafeRawBufferPointer) throws(CryptoKitError) {
        guard !bytes.isEmpty else { return }
        try require(EVP_DigestUpdate(handle, bytes.baseAddress, bytes.count))
    }

    /// Writes the 32 bytes of the digest; ``start()`` has to follow before the next use.
    func finish(into digest: UnsafeMutableRawBufferPointer) throws(CryptoKitError) {
        guard digest.count == Self.digestByteCount else { throw .incorrectParameterSize }
        try require(EVP_DigestFinal_ex(handle, digest.baseAddress?.assumingMemoryBound(to: UInt8.self), nil))
    }
}
