import BackendJSON

/// The manual as roff, for `man -l`, made from the table.
struct ManualPage: Sendable {
    let table: CommandTable
    let programName: String

    /// The page of the program: every command in short, what they share, exit codes, environment.
    func program() -> String {
        var page = header(programName, "keys and sealing for push notifications")
        page += ".SH SYNOPSIS\n.B \(quoted(programName))\n.I COMMAND\n[\\fIOPTION\\fR ...] [\\fIARGUMENT\\fR ...]\n"
        page += ".SH COMMANDS\n"
        for command in table.commands { page += item(command.name, command.summary) }
        page += ".SH OPTIONS\nEvery command takes these, and \\-\\-dry\\-run where it changes something.\n"
        for option in OptionSpec.global { page += item(option.shape, option.summary) }
        page += ".SH OUTPUT\n"
        page += paragraph("The result goes to standard output, everything else to standard error.")
        page += paragraph("Passphrases are asked for on the terminal or read from --passphrase-fd; never an argument.")
        page += ".SH \"EXIT STATUS\"\n"
        for status in ExitStatus.allCases { page += item("\(status.rawValue)", status.meaning) }
        return page + ".SH ENVIRONMENT\n" + item("WAXWING_STORE", "the store's directory where --store is not given")
    }

    /// The page of one command.
    func page(of command: Command) -> String {
        var page = header(([programName] + command.path).joined(separator: "-"), command.summary)
        let usage = HelpText(table: table, programName: programName).usage(of: command)
        page += ".SH SYNOPSIS\n\(quoted(usage))\n.SH DESCRIPTION\n"
        page += paragraph(command.summary.prefix(1).uppercased() + command.summary.dropFirst() + ".")
        for text in command.paragraphs { page += paragraph(text) }
        if !command.arguments.isEmpty {
            page += ".SH ARGUMENTS\n"
            for argument in command.arguments { page += item(argument.name, argument.summary) }
        }
        page += ".SH OPTIONS\n"
        for option in command.allOptions { page += item(option.shape, option.summary) }
        page += ".SH EXAMPLE\n.nf\n\(quoted("\(programName) \(command.example)"))\n.fi\n"
        return page + ".SH \"SEE ALSO\"\n\(quoted(programName))(1)\n"
    }

    private func header(_ name: String, _ summary: String) -> String {
        """
        .TH "\(quoted(name.uppercased()))" 1 "" "\(quoted(Version.current))"
        .SH NAME
        \(quoted(name)) \\- \(quoted(summary))

        """
    }

    private func item(_ name: String, _ text: String) -> String { ".TP\n.B \(quoted(name))\n\(quoted(text))\n" }

    private func paragraph(_ text: String) -> String { ".PP\n\(quoted(text))\n" }

    /// Text as roff shows it: backslashes and dashes literal, ASCII alone, no line begins with a control character.
    private func quoted(_ text: String) -> String {
        var result = text.first == "." || text.first == "'" ? "\\&" : ""
        for character in text {
            switch character {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            case "\"": result += "\\(dq"
            case "'": result += "\\(aq"
            case _ where character.isASCII: result.append(character)
            default:
                for scalar in character.unicodeScalars {
                    let digits = String(scalar.value, radix: 16, uppercase: true)
                    result += "\\[u\(String(repeating: "0", count: max(0, 4 - digits.count)))\(digits)]"
                }
            }
        }
        return result
    }
}
