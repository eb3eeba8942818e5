import Glibc
import KeyStore

/// The ways to say how a store is unlocked: `--key-file`, `--passphrase-fd`, or the terminal.
enum UnlockOption {
    static func isGiven(_ invocation: Invocation) -> Bool {
        invocation.has("key-file") || invocation.has("passphrase-fd")
    }

    /// - Throws: `usage` when both are given or there is no terminal to ask on.
    static func secret(of invocation: Invocation, isNew: Bool) throws -> UnlockSecret {
        if let file = invocation.value("key-file") {
            guard !invocation.has("passphrase-fd") else {
                throw invocation.usage("--key-file and --passphrase-fd exclude each other")
            }
            guard let path = absolute(file) else { throw invocation.usage("--key-file names no file") }
            return .keyFile(path: path)
        }
        guard let number = try invocation.wholeNumber("passphrase-fd") else {
            return .passphrase(try PassphraseInput.ask("passphrase: ", isNew: isNew))
        }
        guard let descriptor = Int32(exactly: number), descriptor != STDOUT_FILENO, descriptor != STDERR_FILENO,
            fcntl(descriptor, F_GETFD) >= 0
        else { throw invocation.usage("--passphrase-fd names no open file descriptor to read from") }
        return .passphrase(try PassphraseInput.read(descriptor: descriptor))
    }

    /// The path from the root, since the store is used from other working directories.
    private static func absolute(_ path: String) -> String? {
        guard !path.isEmpty else { return nil }
        guard !path.hasPrefix("/") else { return path }
        guard let directory = getcwd(nil, 0) else { return nil }
        defer { free(directory) }
        let folder = String(cString: directory)
        return folder == "/" ? "/\(path)" : "\(folder)/\(path)"
    }
}
