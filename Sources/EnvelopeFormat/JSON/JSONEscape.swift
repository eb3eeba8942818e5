/// Which bytes of a string JSON has to escape, and how long they get.
enum JSONEscape {
    /// How many bytes from the front need no escape.
    static func plainPrefix(_ source: UnsafePointer<UInt8>, _ count: Int) -> Int {
        var index = 0
        while index &+ 16 <= count {
            let at = UnsafeRawPointer(source + index)
            let first = at.loadUnaligned(as: UInt64.self)
            let second = at.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
            if (escapes(in: first) | escapes(in: second)) & highBits != 0 { break }
            index &+= 16
        }
        while index < count, encodedCount(source[index]) == 1 { index += 1 }
        return index
    }

    /// The number of bytes that one byte of text takes.
    static func encodedCount(_ byte: UInt8) -> Int {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x08, 0x09, 0x0A, 0x0C, 0x0D: 2
        case 0..<0x20: 6
        default: 1
        }
    }

    /// The number of bytes that the text takes between its quotes.
    static func encodedCount(_ text: some StringProtocol) -> Int {
        text.utf8.reduce(0) { $0 + encodedCount($1) }
    }

    private static let highBits: UInt64 = 0x8080_8080_8080_8080

    /// A high bit for any of eight bytes that is below 0x20, a quote or a backslash. There may be one for a byte above 0x7F
    /// besides, but none is ever missing.
    @inline(__always)
    private static func escapes(in word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        let low = (word &- ones &* 0x20) & ~word
        return low | ((quote &- ones) & ~quote) | ((backslash &- ones) & ~backslash)
    }
}
