/// Canonical base64url, as ``Base64URL``, of what is secret: by arithmetic, with no table that a secret is an index into and no branch
/// that depends on one. Which lines of the cache were used, and the time, depend on the length alone.
package enum SecretBase64URL {
    /// Writes the characters of `input`, without padding.
    /// - Precondition: `output` has room for ``Base64URL/encodedCount(_:)`` characters.
    package static func encode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutablePointer<UInt8>) {
        var bits: UInt32 = 0
        var bitCount: UInt32 = 0
        var to = 0
        for byte in input {
            bits = bits << 8 | UInt32(byte)
            bitCount += 8
            while bitCount >= 6 {
                bitCount -= 6
                output[to] = letter(bits >> bitCount & 63)
                to += 1
            }
        }
        if bitCount > 0 { output[to] = letter(bits << (6 - bitCount) & 63) }
    }

    /// Writes the bytes of the text: three for four characters, and one or two for two or three at the end.
    /// - Returns: false for a character outside the alphabet, an impossible length, or spare bits that are not zero; asked at the end
    ///   alone, so that the time does not tell where.
    /// - Precondition: `output` has room for ``Base64URL/decodedCount(_:)`` bytes.
    package static func decode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutablePointer<UInt8>) -> Bool {
        var bits: UInt32 = 0
        var bitCount: UInt32 = 0
        var to = 0
        var foreign: UInt32 = 0
        for letter in input {
            let (value, isForeign) = value(UInt32(letter))
            foreign |= isForeign
            bits = bits << 6 | value
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                output[to] = UInt8(truncatingIfNeeded: bits >> bitCount)
                to += 1
            }
        }
        let spare = bits & ((1 << bitCount) - 1)
        return input.count % 4 != 1 && foreign | spare == 0
    }

    /// The character of a value of 6 bits. Each line adds what the next part of the alphabet lies off from the one before.
    @inline(__always)
    private static func letter(_ value: UInt32) -> UInt8 {
        var letter = value &+ 0x41  // A
        letter &+= mask(25, isBelow: value) & (0x61 &- 0x41 &- 26)  // a
        letter &-= mask(51, isBelow: value) & (0x61 &+ 26 &- 0x30)  // 0
        letter &-= mask(61, isBelow: value) & (0x30 &+ 10 &- 0x2D)  // -
        letter &+= mask(62, isBelow: value) & (0x5F &- 0x2D &- 1)  // _
        return UInt8(truncatingIfNeeded: letter)
    }

    /// The value of a character, and all ones where it has none.
    @inline(__always)
    private static func value(_ letter: UInt32) -> (value: UInt32, foreign: UInt32) {
        let upper = mask(letter, isFrom: 0x41, to: 0x5A)
        let lower = mask(letter, isFrom: 0x61, to: 0x7A)
        let digit = mask(letter, isFrom: 0x30, to: 0x39)
        let minus = mask(letter, isFrom: 0x2D, to: 0x2D)
        let underscore = mask(letter, isFrom: 0x5F, to: 0x5F)
        let value =
            upper & (letter &- 0x41) | lower & (letter &- 0x61 &+ 26) | digit & (letter &- 0x30 &+ 52) | minus & 62
            | underscore & 63
        return (value, ~(upper | lower | digit | minus | underscore))
    }

    @inline(__always)
    private static func mask(_ value: UInt32, isFrom first: UInt32, to last: UInt32) -> UInt32 {
        ~mask(value, isBelow: first) & ~mask(last, isBelow: value)
    }

    /// All ones where `value` is less than `other`, else zero; both are below 2^31, so that the difference's highest bit tells.
    @inline(__always)
    private static func mask(_ value: UInt32, isBelow other: UInt32) -> UInt32 { 0 &- (value &- other) >> 31 }
}
