/// A number written in decimal digits alone: no sign, no spaces, at most 2^53 - 1.
enum WholeNumber {
    static let largest: Int64 = 9_007_199_254_740_991

    static func parse(_ text: some StringProtocol) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int64(text),
            number <= largest
        else { return nil }
        return number
    }
}
