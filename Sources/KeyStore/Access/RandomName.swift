internal import CryptoPrimitives

/// Names and bytes nobody can guess, from the system's randomness.
enum RandomName {
    /// 16 random bytes in hexadecimal digits.
    static func make() throws(KeyStoreError) -> String { Hexadecimal.encode(try bytes(16)) }

    static func bytes(_ count: Int) throws(KeyStoreError) -> [UInt8] {
        do { return try SystemRandomBytes.bytes(count) } catch {
            throw KeyStoreError(errno: error.code, "system", "no randomness")
        }
    }
}
