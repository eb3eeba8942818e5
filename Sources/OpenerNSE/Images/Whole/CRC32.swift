/// The checksum of a PNG's chunks: the polynomial 0xEDB88320 (W3C PNG, annex D).
struct CRC32 {
    /// The sum of each byte by itself.
    private static let table: [UInt32] = (0..<256).map { (byte: UInt32) in
        var sum = byte
        for _ in 0..<8 { sum = sum & 1 == 1 ? (sum >> 1) ^ 0xEDB8_8320 : sum >> 1 }
        return sum
    }

    private var sum = UInt32.max

    var value: UInt32 { ~sum }

    mutating func add(_ bytes: ArraySlice<UInt8>) {
        for byte in bytes { sum = (sum >> 8) ^ Self.table[Int((sum ^ UInt32(byte)) & 0xFF)] }
    }
}
