/// One of the two alphabets of RFC 4648, with its tables; the loops that read and write are here and nowhere else.
struct Base64Alphabet: @unchecked Sendable {
    /// Section 5, without padding.
    static let url = Base64Alphabet("-_")
    /// Section 4, padded.
    static let standard = Base64Alphabet("+/")

    /// For each 12-bit value its two characters, the first in the low byte. Never freed, never written again.
    private let pairs: UnsafePointer<UInt16>
    /// For each byte its 6-bit value, or 0xFF.
    private let values: UnsafePointer<UInt8>

    private init(_ lastTwo: String) {
        let letters = Array(("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789" + lastTwo).utf8)
        let pairs = UnsafeMutablePointer<UInt16>.allocate(capacity: 4096)
        for value in 0..<4096 { pairs[value] = UInt16(letters[value >> 6]) | UInt16(letters[value & 63]) << 8 }
        let values = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
        values.initialize(repeating: 0xFF, count: 256)
        for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
        self.pairs = UnsafePointer(pairs)
        self.values = UnsafePointer(values)
    }

    /// The number of characters for so many bytes, without padding.
    static func encodedCount(_ byteCount: Int) -> Int { (byteCount * 4 + 2) / 3 }

    /// Writes ``encodedCount(_:)`` characters and no padding.
    /// - Precondition: `output` has room for them.
    func encode(_ input: UnsafeRawBufferPointer, into output: UnsafeMutablePointer<UInt8>) {
        guard let source = input.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
        let whole = input.count / 3
        let destination = UnsafeMutableRawPointer(output)
        var from = 0
        var to = 0
        for _ in 0..<whole {
            let group = Int(source[from]) << 16 | Int(source[from + 1]) << 8 | Int(source[from + 2])
            let both = UInt32(pairs[group >> 12]) | UInt32(pairs[group & 0xFFF]) << 16
            destination.storeBytes(of: both.littleEndian, toByteOffset: to, as: UInt32.self)
            from += 3
            to += 4
        }
        switch input.count - from {
        case 1:
            destination.storeBytes(of: pairs[Int(source[from]) << 4].littleEndian, toByteOffset: to, as: UInt16.self)
        case 2:
            let group = Int(source[from]) << 10 | Int(source[from + 1]) << 2
            destination.storeBytes(of: pairs[group >> 6].littleEndian, toByteOffset: to, as: UInt16.self)
            output[to + 2] = UInt8(truncatingIfNeeded: pairs[group & 63] >> 8)
        default: break
        }
    }

    /// The bytes of unpadded text; nil for a character outside the alphabet, an impossible length, or spare bits that are not zero.
    func decode(_ input: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        let tail = input.count % 4
        guard tail != 1 else { return nil }
        let byteCount = input.count / 4 * 3 + (tail == 0 ? 0 : tail - 1)
        var isValid = true
        let bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { output, count in
            isValid = decode(input, into: output)
            count = byteCount
        }
        return isValid ? bytes : nil
    }

    private func decode(_ input: UnsafeBufferPointer<UInt8>, into output: UnsafeMutableBufferPointer<UInt8>) -> Bool {
        var to = 0
        var bits: UInt32 = 0
        var bitCount: UInt32 = 0
        var seen: UInt8 = 0
        for letter in input {
            let value = values[Int(letter)]
            seen |= value
            bits = bits << 6 | UInt32(value & 63)
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                output[to] = UInt8(truncatingIfNeeded: bits >> bitCount)
                to += 1
            }
        }
        return seen < 64 && bits & ((1 << bitCount) - 1) == 0
    }
}
