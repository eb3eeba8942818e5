/// Breaks text into lines between words.
enum TextWrap {
    /// The text in lines of at most so many characters, unless a single word is longer.
    static func wrap(_ text: String, columns: Int) -> String {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            if line.isEmpty {
                line = String(word)
            } else if line.count + 1 + word.count <= columns {
                line += " \(word)"
            } else {
                lines.append(line)
                line = String(word)
            }
        }
        return (lines + [line]).joined(separator: "\n")
    }
}
