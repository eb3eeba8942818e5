/// One argument of a command that is no option.
struct ArgumentSpec: Sendable {
    /// As the help shows it: `FILE|-`, `ID`.
    let name: String
    let summary: String
    let isRequired: Bool
    let isRepeatable: Bool
    let completion: Completion

    init(
        _ name: String, _ summary: String, isRequired: Bool = true, isRepeatable: Bool = false,
        completion: Completion = .nothing
    ) {
        self.name = name
        self.summary = summary
        self.isRequired = isRequired
        self.isRepeatable = isRepeatable
        self.completion = completion
    }

    /// A file to read, standard input when it is not given.
    static func input(_ summary: String) -> ArgumentSpec {
        ArgumentSpec("FILE|-", summary, isRequired: false, completion: .files)
    }

    /// As it stands in a usage line.
    var usage: String {
        let repeated = isRepeatable ? "\(name)…" : name
        return isRequired ? repeated : "[\(repeated)]"
    }
}
