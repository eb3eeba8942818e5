import KeyStore

/// Makes the command lines in hints whole: with the program's name as it was called, and with the store that the command named,
/// so that what is typed is done to the same.
struct HintCommands: Sendable {
    /// How hints write the program's name.
    private static let written = "keyctl "

    let programName: String
    let table: CommandTable
    /// What `--store` said; nil where the environment says it.
    let store: String?

    func complete(_ hint: String) -> String {
        let parts = hint.split(separator: Self.written, omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(String(parts.first ?? "")) { $0 + programName + " " + naming($1) }
    }

    /// What follows the program's name, with the store behind the command's.
    private func naming(_ words: Substring) -> String {
        let name = table.commands.filter { Self.begins(words, with: $0.name) && $0.role != .none }.map(\.name)
            .max { $0.utf8.count < $1.utf8.count }
        guard let name, !words.dropFirst(name.count).hasPrefix(" --help") else { return String(words) }
        let named = store.map { " --store \(HintWord.of($0))" } ?? ""
        let unlocked = name == UnlockCommand.row.name ? unlockOptions : ""
        return "\(name)\(named)\(unlocked)\(words.dropFirst(name.count))"
    }

    /// What the store has to be given to be unlocked; nothing where it reads its key file, or asks for a passphrase.
    private var unlockOptions: String {
        guard let directory = store ?? (try? GivenText.variable(GivenText.storeVariable)),
            case .keyFile(nil)? = try? Store.open(directory: directory).unlockWay()
        else { return "" }
        return " --key-file FILE"
    }

    private static func begins(_ words: Substring, with name: String) -> Bool {
        guard words.hasPrefix(name) else { return false }
        return words.dropFirst(name.count).first.map { " ,;:".contains($0) } ?? true
    }
}
