import Glibc

/// A command about to run: what its line says, and where its messages go.
struct Invocation: Sendable {
    let command: Command
    let console: Console
    let table: CommandTable
    let arguments: [String]
    private let options: [String: [String]]

    init(_ parsed: ParsedCommandLine, of command: Command, console: Console, table: CommandTable) {
        self.command = command
        self.console = console
        self.table = table
        arguments = parsed.arguments
        options = parsed.options
    }

    var isJSON: Bool { has("json") }
    var isDryRun: Bool { has("dry-run") }

    func has(_ name: String) -> Bool { options[name] != nil }
    func value(_ name: String) -> String? { options[name]?.last }
    func values(_ name: String) -> [String] { options[name] ?? [] }

    /// The value of a required option.
    func required(_ name: String) throws(CommandError) -> String {
        guard let value = value(name) else { throw usage("--\(name) is missing") }
        return value
    }

    /// The file to read: the first argument, else standard input.
    var inputPath: String { arguments.first ?? "-" }

    /// The time of the machine, in seconds since 1970.
    var clock: Int64 { Int64(Glibc.time(nil)) }

    /// A usage error of this command.
    func usage(_ reason: String, hint: String? = nil) -> CommandError {
        .usage(command.name, reason, hint: hint ?? "keyctl \(command.name) --help")
    }

    /// A remark on standard error, silenced by `--quiet`.
    func note(_ text: String) { if !has("quiet") { console.say(text) } }

    /// A remark for those who asked with `--verbose`.
    func detail(_ text: String) { if has("verbose") && !has("quiet") { console.say(text) } }
}
