/// The commands there are.
struct CommandTable: Sendable {
    let commands: [Command]

    /// The command of exactly this name.
    func command(_ path: [String]) -> Command? { commands.first { $0.path == path } }

    /// The commands whose name begins with these words.
    func commands(under path: [String]) -> [Command] { commands.filter { $0.path.starts(with: path) } }

    /// The words that may follow these in a command's name, each once, in the table's order.
    func words(after path: [String]) -> [String] {
        var words: [String] = []
        for command in commands(under: path) where command.path.count > path.count {
            let word = command.path[path.count]
            if !words.contains(word) { words.append(word) }
        }
        return words
    }

    /// Every beginning of a command's name, each once: `device`, `device new`.
    var prefixes: [[String]] {
        var seen: [[String]] = []
        for command in commands {
            for length in 1...command.path.count where !seen.contains(Array(command.path.prefix(length))) {
                seen.append(Array(command.path.prefix(length)))
            }
        }
        return seen
    }
}
