/// A sum of digests modulo 2^256: the order does not matter, and what was added can be taken away again.
struct DigestSum: Equatable, Sendable {
    static let byteCount = 32

    /// The lowest 64 bits first.
    private var words = SIMD4<UInt64>()

    init() {}

    /// - Parameter bytes: 32, the highest first.
    init?(_ bytes: some RandomAccessCollection<UInt8>) {
        guard bytes.count == Self.byteCount else { return nil }
        var word: UInt64 = 0
        var position = Self.byteCount
        for byte in bytes {
            word = word << 8 | UInt64(byte)
            position -= 1
            if position.isMultiple(of: 8) { words[position / 8] = word }
        }
    }

    /// 32 bytes, the highest first.
    var bytes: [UInt8] {
        (0..<Self.byteCount).reversed().map { UInt8(truncatingIfNeeded: words[$0 / 8] >> UInt64(8 * ($0 % 8))) }
    }

    static func += (sum: inout DigestSum, other: DigestSum) {
        var carry: UInt64 = 0
        for index in 0..<4 {
            let (partial, first) = sum.words[index].addingReportingOverflow(other.words[index])
            let (total, second) = partial.addingReportingOverflow(carry)
            sum.words[index] = total
            carry = first || second ? 1 : 0
        }
    }

    static func -= (sum: inout DigestSum, other: DigestSum) {
        var borrow: UInt64 = 0
        for index in 0..<4 {
            let (partial, first) = sum.words[index].subtractingReportingOverflow(other.words[index])
            let (total, second) = partial.subtractingReportingOverflow(borrow)
            sum.words[index] = total
            borrow = first || second ? 1 : 0
        }
    }
}
