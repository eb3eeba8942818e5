import EnvelopeFormat
import KeyStore

/// `restore`: a new store of a backup.
enum RestoreCommand {
    static let row = Command(
        "restore", "make a new store of a backup",
        details: [
            "All of the file is authenticated before anything is made, and an existing store is never touched. The new "
                + "store has an identifier and class keys of its own, and is unlocked as init says: by --key-file, or by a "
                + "passphrase. Its access group is that of the backup unless another is given.",
            "Every conversation goes on 64 epochs ahead, so that no key is sealed under twice; devices follow by "
                + "themselves. What the operator must do next is printed. The new store has no anchor unless --anchor names "
                + "one: that of the store backed up knows no other store.",
        ],
        arguments: [ArgumentSpec("FILE", "the backup", completion: .files)],
        options: [
            BackupSecret.passphraseDescriptor, BackupSecret.keyFile,
            OptionSpec("key-file", "FILE", "unlock the new store by this file instead of a passphrase", completion: .files),
            .passphraseDescriptor, Argon2idOption.option,
            OptionSpec("access-group", "G", "the access group, that of the backup if not given"),
            OptionSpec(
                "anchor", "FILE", "a new file on another volume, to find that an older copy of the store is put back",
                completion: .files),
            OptionSpec("unix-group", "U", "the unix group whose members may use the store"),
        ],
        example: "restore --store sealer --key-file /etc/waxwing/key --backup-key-file /media/safe/key sealer.backup",
        role: .any, changesState: true, run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        let directory = try invocation.storeDirectory()
        guard let path = UnlockOption.absolute(invocation.arguments[0]) else { throw invocation.usage("FILE names no file") }
        let argon2id = try Argon2idOption.value(of: invocation) ?? .standard
        try Store.requireAbsent(directory: directory)
        let secret = try BackupSecret.value(of: invocation, isNew: false)
        if invocation.isDryRun {
            return try LongJob.run(invocation, "rows") { goesOn in
                let summary = try Store.backupContents(of: path, secret: secret, goesOn: goesOn)
                return Invocation.dryRunReport(
                    before: .absent("store at \(directory)"), after: BackupView.view(of: summary, at: path))
            }
        }
        let unlock = try UnlockOption.secret(of: invocation, isNew: true, prompt: "passphrase of the new store: ")
        return try LongJob.run(invocation, "rows") { goesOn in
            let (store, restored) = try Store.restore(
                path, secret: secret, directory: directory, now: invocation.clock, goesOn: goesOn,
                configuration: {
                    var configuration = StoreConfiguration(role: $0.role, accessGroup: $0.accessGroup, unlock: unlock)
                    configuration.argon2id = argon2id
                    if let group = invocation.value("access-group") { configuration.accessGroup = group }
                    configuration.anchor = invocation.value("anchor")
                    configuration.unixGroup = invocation.value("unix-group")
                    return configuration
                })
            return try RestoreView.view(of: restored, in: store).report
        }
    }
}
