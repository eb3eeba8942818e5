/// One option of a command: its name, its value if it takes one, and a line about it.
struct OptionSpec: Sendable {
    /// Without the dashes.
    let name: String
    /// The value as the help shows it; nil for a flag.
    let value: String?
    let summary: String
    let isRequired: Bool
    let isRepeatable: Bool
    let completion: Completion

    init(
        _ name: String, _ value: String? = nil, _ summary: String, isRequired: Bool = false,
        isRepeatable: Bool = false, completion: Completion = .nothing
    ) {
        self.name = name
        self.value = value
        self.summary = summary
        self.isRequired = isRequired
        self.isRepeatable = isRepeatable
        self.completion = completion
    }

    /// An option with a closed set of values.
    static func choice(_ name: String, _ words: [String], _ summary: String, isRequired: Bool = false) -> OptionSpec {
        OptionSpec(
            name, words.joined(separator: "|"), summary, isRequired: isRequired, completion: .words(words))
    }

    /// `--name VALUE` or `--name`.
    var shape: String { value.map { "--\(name) \($0)" } ?? "--\(name)" }

    /// The shape as it stands in a usage line.
    var usage: String {
        let once = isRequired && !isRepeatable ? shape : "[\(shape)]"
        guard isRepeatable else { return once }
        return isRequired ? "\(shape) \(once)…" : "\(once)…"
    }
}
