import EnvelopeFormat
import KeyStore

/// `backup`: an encrypted file of what a store holds.
enum BackupCommand {
    static let row = Command(
        "backup", "write an encrypted backup of the store to a new file, mode 0600",
        details: [
            "Every row is verified first. The file is opened by a passphrase of its own, asked for twice on the terminal "
                + "unless --backup-passphrase-fd is given, or by a key file, which is made (32 random bytes, mode 0600) if "
                + "it is not there. Keep that apart from the file.",
            "What is for this device alone stays behind: the identity, epochs and items of a this-device-only class.",
        ],
        arguments: [ArgumentSpec("FILE", "a file that is not there yet", completion: .files)],
        options: [
            BackupSecret.passphraseDescriptor, BackupSecret.keyFile, Argon2idOption.option,
        ],
        example: "backup --store sealer --backup-key-file /media/safe/key sealer.backup", role: .any, changesState: true,
        run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        guard let path = UnlockOption.absolute(invocation.arguments[0]) else { throw invocation.usage("FILE names no file") }
        let argon2id = try Argon2idOption.value(of: invocation, prefix: BackupSecret.prefix) ?? .standard
        let store = try invocation.openStore()
        if invocation.isDryRun {
            return try LongJob.run(invocation, "rows") { goesOn in
                let summary = try store.backupContents(to: path, now: invocation.clock, goesOn: goesOn)
                return Invocation.dryRunReport(
                    before: .absent("backup at \(path)"), after: BackupView.view(of: summary, at: path))
            }
        }
        let secret = try BackupSecret.value(of: invocation, isNew: true)
        return try LongJob.run(invocation, "rows") { goesOn in
            let summary = try store.backUp(
                to: path, secret: secret, argon2id: argon2id, now: invocation.clock, goesOn: goesOn)
            return BackupView.view(of: summary, at: path).report
        }
    }
}
