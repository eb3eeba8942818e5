public import FoundationEssentials

/// Symmetric key bytes, wiped when the last copy goes; not Codable, Hashable or printable.
public struct SymmetricKey: ContiguousBytes, Equatable, Sendable {
    let storage: SecretBytes

    init(storage: SecretBytes) {
        self.storage = storage
    }

    /// A key of the bytes given, of any length; the caller wipes its own copy.
    public init<D: ContiguousBytes>(data: D) {
        storage = data.withUnsafeBytes { SecretBytes(copying: $0) }
    }

    /// A random key from the system's generator; traps where the system gives no randomness.
    public init(size: SymmetricKeySize) {
        storage = orTrap { () throws(CryptoKitError) -> SecretBytes in
            try SecretBytes(byteCount: size.bitCount / 8) { (bytes) throws(CryptoKitError) in
                do throws(SystemRandomBytes.Unavailable) {
                    try SystemRandomBytes.fill(bytes)
                } catch {
                    throw .underlyingCoreCryptoError(error: error.code)
                }
            }
        }
    }

    /// The length in bits.
    public var bitCount: Int { storage.count * 8 }

    /// Runs the body on the key's bytes, the one door to them; the pointer is valid for the call only.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try storage.withUnsafeBytes(body)
    }

    /// Whether both are the same bytes, in constant time.
    public static func == (lhs: SymmetricKey, rhs: SymmetricKey) -> Bool {
        lhs.storage.isEqual(to: rhs.storage)
    }
}
