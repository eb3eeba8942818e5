public import FoundationEssentials

/// The 32 bytes of a SHA-256 digest (FIPS 180-4).
public struct SHA256Digest: ContiguousBytes, Sequence, Hashable, CustomStringConvertible, Sendable {
    /// 32 bytes.
    public static var byteCount: Int { DigestContext.digestByteCount }

    private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

    init(_ body: (UnsafeMutableRawBufferPointer) throws(CryptoKitError) -> Void) {
        orTrap { () throws(CryptoKitError) in
            let result = Swift.withUnsafeMutableBytes(of: &words) { bytes in
                Result { () throws(CryptoKitError) in try body(bytes) }
            }
            try result.get()
        }
    }

    /// Runs the body on the 32 bytes; the pointer is valid for the call only.
    public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        try Swift.withUnsafeBytes(of: words, body)
    }

    /// The bytes in order.
    public func makeIterator() -> Array<UInt8>.Iterator {
        withUnsafeBytes { Array($0) }.makeIterator()
    }

    /// Whether both are the same bytes, in constant time.
    public static func == (lhs: SHA256Digest, rhs: SHA256Digest) -> Bool {
        lhs.withUnsafeBytes { left in rhs.withUnsafeBytes { constantTimeEqual(left, $0) } }
    }

    /// Hashes the 32 bytes.
    public func hash(into hasher: inout Hasher) {
        withUnsafeBytes { hasher.combine(bytes: $0) }
    }

    /// The name of the function and the digest in hexadecimal.
    public var description: String {
        let hexadecimal = map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        return "SHA256 digest: " + hexadecimal
    }
}
