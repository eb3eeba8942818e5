/// One row of the command table: everything that parser, help, manual and completions know about a command.
struct Command: Sendable {
    /// Which store a command works on.
    enum Role: String, Sendable {
        case sealer
        case device
        case any
        case none
    }

    /// The words that name it: `["device", "new"]`.
    let path: [String]
    /// One line, in lower case and without a full stop.
    let summary: String
    /// What else there is to know, a paragraph each.
    let details: [String]
    let arguments: [ArgumentSpec]
    let options: [OptionSpec]
    /// A command line that parses, without the program's name.
    let example: String
    let role: Role
    /// Whether it takes `--dry-run`.
    let changesState: Bool
    let run: @Sendable (Invocation) throws -> Report

    init(
        _ path: String, _ summary: String, details: [String] = [], arguments: [ArgumentSpec] = [],
        options: [OptionSpec] = [], example: String, role: Role, changesState: Bool = false,
        run: @escaping @Sendable (Invocation) throws -> Report
    ) {
        self.path = path.split(separator: " ").map(String.init)
        self.summary = summary
        self.details = details
        self.arguments = arguments
        self.options = options
        self.example = example
        self.role = role
        self.changesState = changesState
        self.run = run
    }

    var name: String { path.joined(separator: " ") }

    /// Its own options, and the global ones.
    var allOptions: [OptionSpec] { options + sharedOptions }

    /// The options it shares with others.
    var sharedOptions: [OptionSpec] { (changesState ? [.dryRun] : []) + OptionSpec.global }

    /// What help and manual say below the first line: the details, and whose store it works on.
    var paragraphs: [String] {
        switch role {
        case .sealer: details + ["Works on a sealer store, the backend's."]
        case .device: details + ["Works on a device store, the phone's."]
        case .any, .none: details
        }
    }
}
