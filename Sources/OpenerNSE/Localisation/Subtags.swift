/// The parts of a language tag that are still to be looked at.
struct Subtags {
    typealias Part = Substring.UTF8View

    private var rest: ArraySlice<Part>

    /// - Returns: nil where a part is empty, longer than 8, or has something other than letters and digits of ASCII.
    init?(_ text: String) {
        // The longest that the standard asks anybody to take is 35; extensions may make more of it.
        guard text.utf8.count <= 128 else { return nil }
        let parts = text.utf8.split(omittingEmptySubsequences: false) { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        guard parts.allSatisfy({ $0.isAlphanumeric(1...8) }) else { return nil }
        rest = parts[...]
    }

    /// The next part in lower case, if it is such a one; it is behind us then.
    mutating func take(_ isSuch: (Part) -> Bool) -> String? {
        guard let first = rest.first, isSuch(first) else { return nil }
        rest.removeFirst()
        return Substring(first).lowercased()
    }

    /// Steps over variants, extensions and private parts.
    /// - Returns: whether that was all there was.
    mutating func stepOverTheRest() -> Bool {
        while take({ $0.isAlphanumeric(5...8) || $0.count == 4 && $0.prefix(1).isDigits(1) }) != nil {}
        while let single = take({ $0.count == 1 }) {
            let isPrivate = single == "x"
            guard take({ $0.isAlphanumeric((isPrivate ? 1 : 2)...8) }) != nil else { return false }
            while take({ $0.isAlphanumeric((isPrivate ? 1 : 2)...8) }) != nil {}
        }
        return rest.isEmpty
    }
}

extension Substring.UTF8View {
    func isLetters(_ count: ClosedRange<Int>) -> Bool { count.contains(self.count) && allSatisfy(\.isASCIILetter) }

    func isDigits(_ count: Int) -> Bool { self.count == count && allSatisfy(\.isASCIIDigit) }

    func isAlphanumeric(_ count: ClosedRange<Int>) -> Bool {
        count.contains(self.count) && allSatisfy { $0.isASCIILetter || $0.isASCIIDigit }
    }
}

extension UInt8 {
    var isASCIILetter: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20) }
    var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
