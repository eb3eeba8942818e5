/// What opens a backup.
enum BackupSecret {
    static let passphraseDescriptor = OptionSpec(
        "backup-passphrase-fd", "N", "read the backup's passphrase from this file descriptor")
}
