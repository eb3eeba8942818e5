/// A language, perhaps with a script and a region, in canonical case and with today's codes: BCP 47 (RFC 5646, section 2.1).
///
/// Only letters and digits of ASCII and hyphens can come out of it, so that a file may be named for it.
package struct LanguageTag: Sendable, Hashable, CustomStringConvertible {
    /// Two or three letters, lower case.
    let language: String
    /// Four letters, such as `Hant`.
    var script: String?
    /// Two letters, upper case, or three digits.
    var region: String?

    init(language: String, script: String? = nil, region: String? = nil) {
        self.language = language
        self.script = script
        self.region = region
    }

    /// Variants, extensions and private parts are stepped over; `_` is as good as `-`.
    /// - Returns: nil for what is not well-formed or names no language: `und`, and all that begins with `i-` or `x-`.
    package init?(_ text: String) {
        guard var subtags = Subtags(text), var language = subtags.take({ $0.isLetters(2...3) }) else { return nil }
        // A language that used to be written behind the one it belongs to (`zh-yue`) stands by itself now.
        if let extended = subtags.take({ $0.isLetters(3...3) }) { language = extended }
        var script = subtags.take { $0.isLetters(4...4) }
        let region = subtags.take { $0.isLetters(2...2) || $0.isDigits(3) }
        guard subtags.stepOverTheRest(), language != "und" else { return nil }
        if let (now, itsScript) = LanguageFacts.renamed[language] {
            language = now
            script = script ?? itsScript
        }
        self.init(
            language: language, script: script.map { $0.prefix(1).uppercased() + $0.dropFirst() }, region: region?.uppercased())
    }

    package var description: String { [language, script, region].compactMap { $0 }.joined(separator: "-") }
}
