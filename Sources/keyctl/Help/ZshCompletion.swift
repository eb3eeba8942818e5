/// The completion script for zsh, made from the table.
struct ZshCompletion: Sendable {
    let table: CommandTable

    func script() -> String {
        """
        #compdef keyctl waxctl
        # keyctl (Waxwing): completion for zsh
        _waxwing() {
            local at="" word index
            for ((index = 2; index < CURRENT; index++)); do
                word="${words[index]}"
                case "$at/$word" in
                    \(patterns)) at="$at/$word" ;;
                esac
            done
            case "$at" in
        \(([[]] + table.prefixes).map(row).joined(separator: "\n"))
            esac
        }
        compdef _waxwing keyctl waxctl

        """
    }

    private var patterns: String {
        table.prefixes.map { ShellWord.quoted("/" + $0.joined(separator: "/")) }.joined(separator: "|")
    }

    private func row(_ path: [String]) -> String {
        let name = path.isEmpty ? "''" : ShellWord.quoted("/" + path.joined(separator: "/"))
        let command = table.command(path)
        var specs = (command?.allOptions ?? OptionSpec.global).map(spec)
        let words = table.words(after: path)
        if !words.isEmpty { specs.append(ShellWord.quoted("*:command:(\(words.joined(separator: " ")))")) }
        for argument in command?.arguments ?? [] {
            specs.append(ShellWord.quoted("*:\(escaped(argument.name)):\(action(argument.completion))"))
        }
        return "        \(name)) _arguments \(specs.joined(separator: " ")) ;;"
    }

    private func spec(_ option: OptionSpec) -> String {
        let name = "\(option.isRepeatable ? "*" : "")--\(option.name)[\(escaped(option.summary))]"
        return ShellWord.quoted(option.value.map { "\(name):\(escaped($0)):\(action(option.completion))" } ?? name)
    }

    private func action(_ completion: Completion) -> String {
        switch completion {
        case .nothing: " "
        case .files: "_files"
        case .directories: "_files -/"
        case .words(let words): "(\(words.joined(separator: " ")))"
        }
    }

    /// Brackets and colons end a part of a specification.
    private func escaped(_ text: String) -> String {
        text.map { "[]:\\".contains($0) ? "\\\($0)" : "\($0)" }.joined()
    }
}
