public import FoundationEssentials

/// The x coordinate of an agreed point, 32 bytes (SP 800-56A 5.7.1.2): input of a key derivation, never a key itself.
public struct SharedSecret: ContiguousBytes, Equatable, Sendable {
    let storage: SecretBytes

    /// Runs the body on the secret's bytes; the pointer is valid for the call only.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try storage.withUnsafeBytes(body)
    }

    /// A key of `outputByteCount` bytes, at most 8,160, derived by HKDF (RFC 5869); traps above that.
    public func hkdfDerivedSymmetricKey<Salt: DataProtocol, SI: DataProtocol>(
        using hashFunction: SHA256.Type, salt: Salt, sharedInfo: SI, outputByteCount: Int
    ) -> SymmetricKey {
        HKDF<SHA256>.deriveKey(
            inputKeyMaterial: SymmetricKey(storage: storage), salt: salt, info: sharedInfo,
            outputByteCount: outputByteCount)
    }

    /// Whether both are the same bytes, in constant time.
    public static func == (lhs: SharedSecret, rhs: SharedSecret) -> Bool {
        lhs.storage.isEqual(to: rhs.storage)
    }
}
