import EnvelopeFormat

/// Reads a command line against the table: `--flag`, `--option=value`, `--option value`, `--`.
///
/// An option's value is never repeated in a message: it could be a secret that does not belong there.
struct CommandLineParser: Sendable {
    let table: CommandTable

    /// - Throws: `usage`, with a hint that names the nearest option or command.
    func parse(_ words: [String]) throws(CommandError) -> ParsedCommandLine {
        var parsed = ParsedCommandLine()
        var rest = words[...]
        var isPathComplete = false
        while let word = rest.popFirst() {
            if word == "--" {
                guard parsed.command != nil else { throw unknownCommand("--", after: parsed.path) }
                parsed.arguments += rest
                break
            }
            if word.hasPrefix("-") && !isArgument(word, parsed) {
                try readOption(word, &rest, &parsed)
            } else if !isPathComplete, table.words(after: parsed.path).contains(word) {
                parsed.path.append(word)
                parsed.command = table.command(parsed.path)
                isPathComplete = table.words(after: parsed.path).isEmpty
            } else if parsed.command != nil {
                isPathComplete = true
                parsed.arguments.append(word)
            } else {
                throw unknownCommand(word, after: parsed.path)
            }
        }
        if !parsed.has("help"), !parsed.has("version") { try check(parsed) }
        return parsed
    }

    private func readOption(
        _ word: String, _ rest: inout ArraySlice<String>, _ parsed: inout ParsedCommandLine
    ) throws(CommandError) {
        let equals = word.firstIndex(of: "=")
        let name = String(word[..<(equals ?? word.endIndex)].drop { $0 == "-" })
        // A group word may come first: `device --store DIR list` knows the global options only.
        let known = parsed.command?.allOptions ?? (OptionSpec.global + [.dryRun])
        guard word.hasPrefix("--"), let option = known.first(where: { $0.name == name }) else {
            throw unknownOption(name, written: String(word[..<(equals ?? word.endIndex)]), known, parsed)
        }
        let subject = subject(parsed.path)
        if option.value == nil {
            guard equals == nil else { throw .usage(subject, "--\(name) takes no value") }
            parsed.options[name] = [""]
            return
        }
        let value: String
        if let equals {
            value = String(word[word.index(after: equals)...])
        } else if let next = rest.first, !isOption(next, among: known) {
            value = next
            rest.removeFirst()
        } else {
            throw .usage(subject, "\(option.shape): the value is missing")
        }
        guard parsed.options[name] == nil || option.isRepeatable else {
            throw .usage(subject, "--\(name) is given twice")
        }
        parsed.options[name, default: []].append(value)
    }

    /// Whether a word that begins with a dash is an argument all the same: `-`, or the start of a thumbprint, of which
    /// one in 64 begins so.
    private func isArgument(_ word: String, _ parsed: ParsedCommandLine) -> Bool {
        guard word != "-" else { return true }
        guard let command = parsed.command, parsed.arguments.count < command.arguments.count else { return false }
        return (!word.hasPrefix("--") && word.utf8.count > 2) || DeviceThumbprint(word) != nil
    }

    private func isOption(_ word: String, among known: [OptionSpec]) -> Bool {
        let name = word.dropFirst(2).prefix { $0 != "=" }
        return word == "--" || word.hasPrefix("--") && known.contains { $0.name == name }
    }

    private func check(_ parsed: ParsedCommandLine) throws(CommandError) {
        guard let command = parsed.command else {
            if parsed.path.isEmpty {
                throw .usage(nil, "no command is given", hint: "keyctl --help")
            }
            let words = table.words(after: parsed.path).joined(separator: ", ")
            throw .usage(subject(parsed.path), "one of these must follow: \(words)")
        }
        let hint = "keyctl \(command.name) --help"
        for (name, _) in parsed.options where !command.allOptions.contains(where: { $0.name == name }) {
            throw .usage(command.name, "there is no option --\(name)", hint: hint)
        }
        for option in command.options where option.isRequired && !parsed.has(option.name) {
            throw .usage(command.name, "\(option.shape) is missing", hint: hint)
        }
        let required = command.arguments.filter(\.isRequired)
        if parsed.arguments.count < required.count {
            throw .usage(command.name, "\(required[parsed.arguments.count].name) is missing", hint: hint)
        }
        let isOpenEnded = command.arguments.last?.isRepeatable ?? false
        if !isOpenEnded && parsed.arguments.count > command.arguments.count {
            throw .usage(command.name, "there is one argument too many", hint: hint)
        }
    }

    private func unknownOption(
        _ name: String, written: String, _ known: [OptionSpec], _ parsed: ParsedCommandLine
    ) -> CommandError {
        let nearest = NearestName.of(name, among: known.map(\.name))
        let help = (parsed.path + ["--help"]).joined(separator: " ")
        return .usage(
            subject(parsed.path), "there is no option \(written)",
            hint: nearest.map { "did you mean --\($0)?" } ?? "keyctl \(help)")
    }

    private func unknownCommand(_ word: String, after path: [String]) -> CommandError {
        let nearest = NearestName.of(word, among: table.words(after: path))
        return .usage(
            subject(path), "there is no command \((path + [word]).joined(separator: " "))",
            hint: nearest.map { "did you mean \((path + [$0]).joined(separator: " "))?" } ?? "keyctl --help"
        )
    }

    private func subject(_ path: [String]) -> String? { path.isEmpty ? nil : path.joined(separator: " ") }
}
