/// Takes an input apart into numbers and strings of bytes; at its end there are zeros.
struct InputReader {
    private var rest: ArraySlice<UInt8>

    init(_ input: [UInt8]) { rest = input[...] }

    mutating func byte() -> UInt8 { rest.popFirst() ?? 0 }

    mutating func number(below limit: Int) -> Int { limit < 256 ? Int(byte()) % limit : Int(UInt32(truncatingIfNeeded: integer())) % limit }

    /// A length, then so many bytes of two's complement, the lowest first.
    mutating func integer() -> Int64 {
        let bytes = take(Int(byte()) % 9)
        var value: UInt64 = 0
        for byte in bytes.reversed() { value = value << 8 | UInt64(byte) }
        let unused = 64 - 8 * bytes.count
        return bytes.isEmpty ? 0 : Int64(bitPattern: value << unused) >> unused
    }

    /// A length of one byte, then so many.
    mutating func bytes() -> [UInt8] { take(Int(byte())) }

    /// All that is left.
    mutating func remaining() -> [UInt8] { take(rest.count) }

    private mutating func take(_ count: Int) -> [UInt8] {
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }
}
