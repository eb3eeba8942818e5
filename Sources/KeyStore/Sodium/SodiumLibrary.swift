internal import CSodium
internal import CryptoPrimitives

/// libsodium itself, initialised once before its first use.
public enum SodiumLibrary {
    /// 0 at first, 1 when it was initialised already, -1 when it cannot be.
    private static let initialised: Int32 = sodium_init()

    /// Initialises libsodium, at the first call; its allocator aborts without.
    /// - Throws: ``SodiumError/unavailable``.
    public static func prepare() throws(SodiumError) {
        guard initialised >= 0 else { throw .unavailable }
    }

    /// Of the library as it was loaded: "1.0.18".
    static var version: String { sodium_version_string().map { String(cString: $0) } ?? "" }

    /// Random bytes of the system, for nonces, salts and identifiers. Keys: ``GuardedBytes``.
    ///
    /// Not `randombytes_buf`: where the system has no randomness that ends the process, and this is an error.
    public static func randomBytes(_ count: Int) throws(SodiumError) -> [UInt8] {
        guard count >= 0 else { throw .wrongLength(of: "random bytes", byteCount: count) }
        do { return try SystemRandomBytes.bytes(count) } catch { throw .noRandomness }
    }

    /// Fills the whole buffer from the same source.
    static func fillRandom(_ buffer: UnsafeMutableRawBufferPointer) throws(SodiumError) {
        do { try SystemRandomBytes.fill(buffer) } catch { throw .noRandomness }
    }

    /// Puts a nonce in the first bytes of an array, from the stock of random bytes.
    static func fillNonce(_ bytes: inout [UInt8], _ count: Int) throws(SodiumError) {
        let isFilled = bytes.withUnsafeMutableBytes { buffer in
            (try? RandomPool.fill(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))) != nil
        }
        guard isFilled else { throw .noRandomness }
    }

    /// Overwrites bytes in a way that the compiler may not leave out.
    public static func wipe(_ bytes: inout [UInt8]) {
        bytes.withUnsafeMutableBytes { buffer in
            if let start = buffer.baseAddress { sodium_memzero(start, buffer.count) }
        }
        bytes.removeAll(keepingCapacity: false)
    }
}
