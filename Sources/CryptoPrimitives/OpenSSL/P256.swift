/// The elliptic curve P-256 (SP 800-186 3.2.1.3), also called secp256r1 and prime256v1.
public enum P256: Sendable {
    /// Elliptic curve Diffie-Hellman on P-256 (SP 800-56A 5.7.1.2).
    public enum KeyAgreement: Sendable {}

    /// The length of an uncompressed point (SEC 1 2.3.3), in bytes.
    static let pointByteCount = 65
    /// The length of a scalar and of a coordinate, in bytes.
    static let scalarByteCount = 32

    /// Whether 32 big-endian bytes are a private scalar, 1 to n-1; in constant time.
    static func isPrivateScalar(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count == scalarByteCount else { return false }
        var borrow: UInt16 = 0
        var anyBit: UInt8 = 0
        for index in order.indices.reversed() {
            let difference = UInt16(bytes[index]) &- UInt16(order[index]) &- borrow
            borrow = (difference >> 8) & 1
            anyBit |= bytes[index]
        }
        return borrow == 1 && anyBit != 0
    }

    /// n, the order of the group.
    static let order: [UInt8] = [
        0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
        0xBC, 0xE6, 0xFA, 0xAD, 0xA7, 0x17, 0x9E, 0x84, 0xF3, 0xB9, 0xCA, 0xC2, 0xFC, 0x63, 0x25, 0x51,
    ]

    /// (p - 1) / 2, big-endian; p is the prime of the field.
    static let halfOfPrime: [UInt8] = [
        0x7F, 0xFF, 0xFF, 0xFF, 0x80, 0x00, 0x00, 0x00, 0x80, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
        0x00, 0x00, 0x00, 0x00, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
    ]
}
