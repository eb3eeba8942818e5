/// The completion script for fish, made from the table.
struct FishCompletion: Sendable {
    let table: CommandTable

    func script() -> String {
        var lines = [
            "# keyctl (Waxwing): completion for fish",
            "function __waxwing_at",
            "    set -l words (commandline -opc)",
            "    set -e words[1]",
            "    set -l named (string match -v -- '-*' $words)",
            "    test (count $named) -ge (count $argv); or return 1",
            "    test (count $argv) -eq 0; and return 0",
            "    test \"$named[1..(count $argv)]\" = \"$argv\"",
            "end",
        ]
        for program in ["keyctl", "waxctl"] {
            lines.append("complete -c \(program) -f")
            lines += commandWords(program) + table.commands.flatMap { options(of: $0, program) }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func commandWords(_ program: String) -> [String] {
        table.commands.map { command in
            let parents = command.path.dropLast().joined(separator: " ")
            let word = command.path.last ?? ""
            let condition = ShellWord.quotedForFish("__waxwing_at \(parents)")
            return "complete -c \(program) -n \(condition) -a \(word) -d \(ShellWord.quotedForFish(command.summary))"
        } + groups.map { "complete -c \(program) -n __fish_use_subcommand -a \($0)" }
    }

    /// First words that are no command by themselves.
    private var groups: [String] { table.words(after: []).filter { table.command([$0]) == nil } }

    private func options(of command: Command, _ program: String) -> [String] {
        let condition = ShellWord.quotedForFish("__waxwing_at \(command.name)")
        var lines = command.allOptions.map { option in
            let value = option.value == nil ? "" : value(option.completion)
            let summary = ShellWord.quotedForFish(option.summary)
            return "complete -c \(program) -n \(condition) -l \(option.name)\(value) -d \(summary)"
        }
        for argument in command.arguments {
            switch argument.completion {
            case .files: lines.append("complete -c \(program) -n \(condition) -F")
            case .words(let words):
                lines.append(
                    "complete -c \(program) -n \(condition) -a \(ShellWord.quotedForFish(words.joined(separator: " ")))"
                )
            case .nothing, .directories: break
            }
        }
        return lines
    }

    private func value(_ completion: Completion) -> String {
        switch completion {
        case .nothing: " -x"
        case .files: " -r -F"
        case .directories: " -x -a '(__fish_complete_directories)'"
        case .words(let words): " -x -a \(ShellWord.quotedForFish(words.joined(separator: " ")))"
        }
    }
}
