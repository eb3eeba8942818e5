/// The sizes of a sealed attachment, in bytes (attachment spec, section 3): a header and segments, the first of which is
/// shorter by the header, so that every block of the file but the last has ``blockByteCount``.
public enum AttachmentLayout {
    /// The key that travels in the claim `image`.
    public static let keyByteCount = 32
    static let saltByteCount = 32
    static let prefixByteCount = 7
    /// The length byte, the salt and the nonce prefix.
    public static let headerByteCount = 1 + saltByteCount + prefixByteCount
    /// A segment with its tag, and the header where it is the first.
    public static let blockByteCount = 65_536
    static let tagByteCount = 16
    /// The most segments that a nonce can count.
    static let segmentLimit: UInt64 = 1 << 32

    /// The fewest bytes of a sealed file: that of nothing.
    public static let smallestByteCount = headerByteCount + tagByteCount
    /// The most bytes of a sealed file that an opener on a phone fetches.
    public static let largestFetchedByteCount = 10_000_000
    /// The associated data, which is the info of HKDF.
    static let associatedData = Array("waxwing/1 attachment".utf8)

    /// The length of the sealed file for a file of so many bytes.
    /// - Parameter byteCount: 0 to 2^47.
    public static func sealedByteCount(_ byteCount: Int) -> Int {
        let inSegments = headerByteCount + byteCount
        let segmentByteCount = blockByteCount - tagByteCount
        let segments = max(1, (inSegments + segmentByteCount - 1) / segmentByteCount)
        return inSegments + segments * tagByteCount
    }
}
