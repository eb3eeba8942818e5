/// The text of `--help`, made from the table.
struct HelpText: Sendable {
    let table: CommandTable
    let programName: String

    /// The help of a command, of a group of commands, or of the program.
    func text(for path: [String]) -> String {
        let commands = table.commands(under: path)
        guard let command = table.command(path) else { return overview(commands, path) }
        let nested = commands.filter { $0.path != path }
        return text(of: command) + (nested.isEmpty ? "" : "\nsee also:\n" + rows(nested.map { ($0.name, $0.summary) }))
    }

    private func overview(_ commands: [Command], _ path: [String]) -> String {
        let words = ([programName] + path).joined(separator: " ")
        var text = path.isEmpty ? "\(programName): keys and sealing for push notifications\n\n" : ""
        text += "usage: \(words) COMMAND [OPTION…] [ARGUMENT…]\n\ncommands:\n"
        text += rows(commands.map { ($0.name, $0.summary) })
        text += "\noptions of every command:\n" + rows(OptionSpec.global.map { ($0.shape, $0.summary) })
        if path.isEmpty {
            text += "\nexit codes:\n" + rows(ExitStatus.allCases.map { ("\($0.rawValue)", $0.meaning) })
        }
        return text + "\n\(words) COMMAND --help shows the options of a command, with an example.\n"
    }

    private func text(of command: Command) -> String {
        var text = "\(command.name): \(command.summary)\n\nusage: \(usage(of: command))\n"
        for paragraph in command.paragraphs { text += "\n" + TextWrap.wrap(paragraph, columns: 80) + "\n" }
        if !command.arguments.isEmpty {
            text += "\narguments:\n" + rows(command.arguments.map { ($0.name, $0.summary) })
        }
        if !command.options.isEmpty { text += "\noptions:\n" + rows(command.options.map { ($0.shape, $0.summary) }) }
        text += "\nshared options:\n" + rows(command.sharedOptions.map { ($0.shape, $0.summary) })
        return text + "\nexample:\n  \(programName) \(command.example)\n"
    }

    /// `keyctl provision --conversation CID [--alg …]`.
    func usage(of command: Command) -> String {
        let words = command.options.filter(\.isRequired).map(\.usage)
        let optional = command.options.filter { !$0.isRequired }.map(\.usage)
        return ([programName, command.name] + words + optional + command.arguments.map(\.usage)).joined(separator: " ")
    }

    private func rows(_ rows: [(name: String, summary: String)]) -> String {
        let width = min(26, rows.map(\.name.count).max() ?? 0)
        return rows.map { name, summary in
            let gap = String(repeating: " ", count: max(0, width - name.count))
            let indent = String(repeating: " ", count: width + 4)
            let text = TextWrap.wrap(summary, columns: 100 - width - 4).split(separator: "\n")
            let first = name.count > width ? "  \(name)\n\(indent)" : "  \(name)\(gap)  "
            return first + text.joined(separator: "\n\(indent)") + "\n"
        }.joined()
    }
}
