/// Random texts that make trouble: joined emoji, flags, combining marks, Hangul, Indic conjuncts, both directions, escapes.
public enum RandomText {
    private static let pieces: [String] = [
        "a", "Z", " ", "/", "\"", "\\", "\u{8}", "\t", "\n", "\u{C}", "\r", "\r\n", "\u{0}", "\u{1}", "\u{1F}",
        "\u{7F}",
        "é", "e\u{301}", "\u{301}", "\u{345}", "a\u{300}\u{301}\u{302}\u{303}\u{304}\u{305}", "ß", "K", "Å", "…",
        "\u{2028}",
        "\u{200B}", "\u{200D}", "\u{200C}", "\u{FE0F}", "\u{FEFF}", "\u{FFFD}", "\u{FFFF}", "\u{10FFFF}", "\u{E000}",
        "ש", "שָׁ", "א\u{200F}", "العربية", "\u{202E}", "\u{2066}",
        "각", "\u{1100}\u{1161}\u{11A8}", "\u{1100}", "\u{1161}", "\u{11A8}", "가\u{11A8}",
        "क", "क्त", "क्ष", "क्\u{200D}ष", "नि", "\u{94D}", "\u{903}", "\u{E33}", "ക്ക", "\u{600}", "\u{110BD}",
        "🙂", "👍🏽", "👨‍👩‍👧‍👦", "🏳️‍🌈", "❤️", "🇩🇪", "🇫", "🇷🇸🇮🇴", "1️⃣", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "𝒜", "𠮷", "漢", "\u{1CCF0}",
    ]

    /// A text of up to so many pieces; about one in four comes from a few kinds alone.
    public static func text(pieces count: ClosedRange<Int>, using source: inout RepeatableRandom) -> String {
        let length = Int.random(in: count, using: &source)
        var choice = pieces
        if Int.random(in: 0..<4, using: &source) == 0 {
            choice = (0..<2).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &source)] }
        }
        var text = ""
        for _ in 0..<length {
            if Int.random(in: 0..<16, using: &source) == 0 {
                text.unicodeScalars.append(scalar(using: &source))
            } else {
                text += choice[Int.random(in: 0..<choice.count, using: &source)]
            }
        }
        return text
    }

    /// Any scalar of Unicode.
    private static func scalar(using source: inout RepeatableRandom) -> Unicode.Scalar {
        let limits: [UInt32] = [0x20, 0x80, 0x800, 0x1_0000, 0x11_0000]
        while true {
            let limit = limits[Int.random(in: 0..<limits.count, using: &source)]
            if let scalar = Unicode.Scalar(UInt32.random(in: 0..<limit, using: &source)) { return scalar }
        }
    }
}
