/// Where templates of a language are: one of the names that a file of templates can have.
struct TemplateSource: Sendable, Equatable {
    let file: String
    /// nil for one that nothing is known of; then each plural is `other`.
    let family: PluralFamily?

    init(_ tag: LanguageTag) {
        file = "notifications-\(tag).json"
        family = PluralFamily(tag)
    }

    /// The file that is asked when no language has a text.
    init(baseLanguage: LanguageTag?) {
        file = Self.base
        family = baseLanguage.flatMap { PluralFamily($0) }
    }

    static let base = "notifications.json"

    /// Whether a file would be named so, were it one of templates.
    static func isMeant(_ name: String) -> Bool { name.hasPrefix("notifications") && name.hasSuffix(".json") }

    /// Whether a file of that name is ever looked for.
    static func isName(_ name: String) -> Bool {
        if name == base { return true }
        guard name.hasPrefix("notifications-") else { return false }
        return LanguageTag(String(name.dropFirst("notifications-".count).dropLast(".json".count))).map { Self($0).file } == name
    }
}
