import KeyStore

/// What opens a backup.
enum BackupSecret {
    /// Of the names of its options.
    static let prefix = "backup-"

    static let passphraseDescriptor = OptionSpec(
        "\(prefix)passphrase-fd", "N", "read the backup's passphrase from this file descriptor")
    static let keyFile = OptionSpec(
        "\(prefix)key-file", "FILE", "the key file that opens the backup", completion: .files)

    /// - Parameter isNew: whether a passphrase is asked for twice.
    static func value(of invocation: Invocation, isNew: Bool) throws -> UnlockSecret {
        try UnlockOption.secret(of: invocation, isNew: isNew, prefix: prefix, prompt: "passphrase of the backup: ")
    }
}
