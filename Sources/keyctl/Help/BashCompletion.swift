/// The completion script for bash, made from the table.
struct BashCompletion: Sendable {
    let table: CommandTable

    func script() -> String {
        """
        # keyctl (Waxwing): completion for bash
        _waxwing() {
            local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" at="" word index
            for ((index = 1; index < COMP_CWORD; index++)); do
                word="${COMP_WORDS[index]}"
                case "$at/$word" in
                    \(patterns)) at="$at/$word" ;;
                esac
            done
            case "$at $previous" in
        \(values)
            esac
            case "$at" in
        \(words)
            esac
        }
        complete -F _waxwing keyctl waxctl

        """
    }

    private var patterns: String {
        table.prefixes.map { ShellWord.quoted("/" + $0.joined(separator: "/")) }.joined(separator: " | ")
    }

    private var values: String {
        var lines: [String] = []
        for command in table.commands {
            for option in command.allOptions where option.value != nil {
                let pattern = ShellWord.quoted("/\(command.path.joined(separator: "/")) --\(option.name)")
                lines.append("        \(pattern)) \(reply(option.completion)); return ;;")
            }
        }
        return lines.joined(separator: "\n")
    }

    private var words: String {
        let root = "        '') COMPREPLY=($(compgen -W \(ShellWord.quoted(offered([]))) -- \"$current\")) ;;"
        let rows = table.prefixes.map { path in
            let words = "COMPREPLY=($(compgen -W \(ShellWord.quoted(offered(path))) -- \"$current\"))"
            let takesFile = table.command(path)?.arguments.contains { $0.completion == .files } ?? false
            let files = takesFile ? "; [[ $current == -* ]] || COMPREPLY+=($(compgen -f -- \"$current\"))" : ""
            return "        \(ShellWord.quoted("/" + path.joined(separator: "/")))) \(words)\(files) ;;"
        }
        return ([root] + rows).joined(separator: "\n")
    }

    private func offered(_ path: [String]) -> String {
        let options = table.command(path)?.allOptions ?? OptionSpec.global
        let words = table.command(path)?.arguments.compactMap { argument -> [String]? in
            if case .words(let words) = argument.completion { words } else { nil }
        }
        return (table.words(after: path) + (words ?? []).joined() + options.map { "--\($0.name)" })
            .joined(separator: " ")
    }

    private func reply(_ completion: Completion) -> String {
        switch completion {
        case .nothing: "COMPREPLY=()"
        case .files: "COMPREPLY=($(compgen -f -- \"$current\"))"
        case .directories: "COMPREPLY=($(compgen -d -- \"$current\"))"
        case .words(let words):
            "COMPREPLY=($(compgen -W \(ShellWord.quoted(words.joined(separator: " "))) -- \"$current\"))"
        }
    }
}
