/// A number as CLDR's plural rules look at it (UTS 35, part 3, section 5.1.1), out of the text it is written in.
struct PluralOperands: Sendable, Equatable {
    /// The longest number that is looked at, in bytes.
    static let byteLimit = 64

    /// The whole part, without a sign. From 10^12 on only its last twelve digits count, and that it is large: no rule asks for more.
    let i: UInt64
    /// How many digits stand behind the point.
    let v: Int
    /// These digits as a number, shortened as the whole part is.
    let f: UInt64
    /// The same without zeros at the end.
    let t: UInt64

    /// - Parameter text: digits of ASCII, perhaps a `-` before them, perhaps a `.` and digits behind.
    /// - Returns: nil for all else.
    init?(_ text: String) {
        guard text.utf8.count <= Self.byteLimit else { return nil }
        let isNegative = text.utf8.first == UInt8(ascii: "-")
        let parts = text.utf8.dropFirst(isNegative ? 1 : 0)
            .split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isASCIIDigit) }) else { return nil }
        let fraction = parts.count == 2 ? Array(parts[1]) : []
        let significant = fraction.lastIndex { $0 != UInt8(ascii: "0") }.map { fraction[...$0] } ?? []
        i = Self.shortened(parts[0])
        v = fraction.count
        f = Self.shortened(fraction)
        t = Self.shortened(significant)
    }

    private static func shortened(_ digits: some Sequence<UInt8>) -> UInt64 {
        let large: UInt64 = 1_000_000_000_000
        return digits.reduce(0) { value, digit in
            let next = value * 10 + UInt64(digit - UInt8(ascii: "0"))
            return next < 2 * large ? next : large + next % large
        }
    }

    /// Whether it is a whole number, as 1 and 1.0 are; `n` of the rules is `i` then, and in no list else.
    var isWhole: Bool { t == 0 }

    /// `n = value`
    func n(is value: UInt64) -> Bool { isWhole && i == value }

    /// `n = range`
    func n(in range: ClosedRange<UInt64>) -> Bool { isWhole && range.contains(i) }

    /// `n % divisor = range`
    func n(mod divisor: UInt64, in range: ClosedRange<UInt64>) -> Bool { isWhole && range.contains(i % divisor) }
}
