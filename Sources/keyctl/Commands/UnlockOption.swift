import Glibc
import KeyStore

/// The ways to say how a store is unlocked: `--key-file`, `--passphrase-fd`, or the terminal.
enum UnlockOption {
    /// - Parameter prefix: of the options' names: `new-` for what is to unlock it from now on.
    static func isGiven(_ invocation: Invocation, prefix: String = "") -> Bool {
        invocation.has("\(prefix)key-file") || invocation.has("\(prefix)passphrase-fd")
    }

    /// What unlocks the store now: nil where it records its key file and nothing is given.
    static func present(of invocation: Invocation, for store: Store) throws -> UnlockSecret? {
        guard !store.knowsKeyFile || isGiven(invocation) else { return nil }
        return try secret(of: invocation, isNew: false)
    }

    /// - Throws: `usage` when both are given or there is no terminal to ask on.
    static func secret(
        of invocation: Invocation, isNew: Bool, prefix: String = "", prompt: String = "passphrase: "
    ) throws -> UnlockSecret {
        if let file = invocation.value("\(prefix)key-file") {
            guard !invocation.has("\(prefix)passphrase-fd") else {
                throw invocation.usage("--\(prefix)key-file and --\(prefix)passphrase-fd exclude each other")
            }
            guard let path = absolute(file) else { throw invocation.usage("--\(prefix)key-file names no file") }
            return .keyFile(path: path)
        }
        let hint = hint(prefix: prefix, isNew: isNew)
        guard let number = try invocation.wholeNumber("\(prefix)passphrase-fd") else {
            return .passphrase(try PassphraseInput.ask(prompt, isNew: isNew, hint: hint))
        }
        guard let descriptor = Int32(exactly: number), descriptor != STDOUT_FILENO, descriptor != STDERR_FILENO,
            fcntl(descriptor, F_GETFD) >= 0
        else { throw invocation.usage("--\(prefix)passphrase-fd names no open file descriptor to read from") }
        return .passphrase(try PassphraseInput.read(descriptor: descriptor, hint: hint))
    }

    /// What to do where there is no terminal to ask on, by the names that the options have there.
    private static func hint(prefix: String, isNew: Bool) -> String {
        "give --\(prefix)passphrase-fd N, or --\(prefix)key-file FILE" + (isNew ? "" : " where that is what unlocks it")
    }

    /// The path from the root, since the store is used from other working directories.
    static func absolute(_ path: String) -> String? {
        guard !path.isEmpty else { return nil }
        guard !path.hasPrefix("/") else { return path }
        guard let directory = getcwd(nil, 0) else { return nil }
        defer { free(directory) }
        let folder = String(cString: directory)
        return folder == "/" ? "/\(path)" : "\(folder)/\(path)"
    }
}
