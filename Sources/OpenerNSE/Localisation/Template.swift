import EnvelopeFormat

/// What a key of a file stands for: one text, or one for each plural category that the language has.
enum Template: Sendable {
    case text(TemplateText)
    case plural([(category: PluralCategory, text: TemplateText)], other: TemplateText)

    /// The argument that decides between plural categories.
    static let count = "count"

    init(_ json: JSONValue) throws(TemplateFlaw) {
        switch json {
        case .string(let text): self = .text(try TemplateText(text))
        case .object(let members):
            var texts: [(category: PluralCategory, text: TemplateText)] = []
            for member in members {
                guard let category = PluralCategory(exactly: member.name) else {
                    throw TemplateFlaw(reason: "a member that is none of zero, one, two, few, many, other")
                }
                guard let text = member.value.text else { throw TemplateFlaw(reason: "\(category) is not a string") }
                do throws(TemplateFlaw) {
                    texts.append((category, try TemplateText(text)))
                } catch { throw TemplateFlaw(reason: "\(category): \(error.reason)") }
            }
            guard let other = texts.first(where: { $0.category == .other })?.text else { throw TemplateFlaw(reason: "other is missing") }
            self = .plural(texts, other: other)
        default: throw TemplateFlaw(reason: "neither a string nor an object")
        }
    }

    /// The text for these arguments.
    /// - Parameter family: how the file's language counts; without one, the text for `other` is taken.
    /// - Throws: what is missing.
    func rendered(_ arguments: [(name: String, value: String)], family: PluralFamily?) throws(TemplateFlaw) -> String {
        switch self {
        case .text(let text): return try text.rendered(arguments)
        case .plural(let texts, let other):
            let number = arguments.first { $0.name.isSame(as: Self.count) }.flatMap { PluralOperands($0.value) }
            let category = number.flatMap { family?.category(of: $0) } ?? .other
            let text = texts.first { $0.category == category }?.text ?? other
            return try text.rendered(arguments)
        }
    }
}
