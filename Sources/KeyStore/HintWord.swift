/// Words of command lines in hints, which are there to be typed.
package enum HintWord {
    /// The text as one word of a shell: quoted where it holds more than such a word may.
    package static func of(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                true
            default: "-_./:@%+=,".utf8.contains(byte)
            }
        }
        guard !isPlain || text.isEmpty else { return text }
        return "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
    }
}
