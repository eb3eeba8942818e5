public import FoundationEssentials

/// The 32 bytes of an HMAC, or of a pseudorandom key out of ``HKDF``: wiped when the last copy goes, not printable.
public struct HashedAuthenticationCode<H: HashFunction>: ContiguousBytes, Sequence, Equatable, Sendable {
    let storage: SecretBytes

    /// The length in bytes.
    public var byteCount: Int { storage.count }

    /// Runs the body on the bytes; the pointer is valid for the call only.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try storage.withUnsafeBytes(body)
    }

    /// The bytes in order.
    public func makeIterator() -> Array<UInt8>.Iterator {
        storage.withUnsafeBytes { Array($0) }.makeIterator()
    }

    /// Whether both are the same bytes, in constant time.
    public static func == (lhs: Self, rhs: Self) -> Bool {
        lhs.storage.isEqual(to: rhs.storage)
    }
}
