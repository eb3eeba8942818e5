import EnvelopeFormat
import KeyStore

/// `init`: makes a store.
enum InitCommand {
    static let row = Command(
        "init", "make a new store",
        details: [
            "An existing store is never touched. The key file is made (32 random bytes, mode 0600) if it is not there; "
                + "that of a sealer store with --unix-group is of this group and 0640, as each member reads it. A sealer store records its path and unlocks by itself; a device store asks for it again.",
            "--audit-key makes a file with which audit verify finds out what was rewritten later by somebody who got hold "
                + "of the store's keys. Take it away from this machine: it is needed for that alone. It cannot be made "
                + "later. An init that was killed may leave it without a store: it is removed then and init repeated.",
            "Without --key-file and --passphrase-fd the passphrase is asked for twice on the terminal.",
        ],
        options: [
            .choice("role", StoreRole.allCases.map(\.rawValue), "what the store is for", isRequired: true),
            OptionSpec("key-file", "FILE", "unlock by this file instead of a passphrase", completion: .files),
            .passphraseDescriptor,
            Argon2idOption.option,
            OptionSpec("access-group", "G", "the access group, group.waxwing.default if not given"),
            OptionSpec(
                "anchor", "FILE", "a new file on another volume, to find that an older copy of the store is put back",
                completion: .files),
            OptionSpec("unix-group", "U", "the unix group whose members may use the store"),
            OptionSpec(
                "audit-key", "FILE", "write the start key of the audit log to a new file, mode 0600", completion: .files),
            OptionSpec("defaults", "FILE", "an object of type, placeholder, padding, overflow, platform", completion: .files),
        ],
        example: "init --store sealer --role sealer --key-file /etc/waxwing/key", role: .any, changesState: true,
        run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        let directory = try invocation.storeDirectory()
        guard let role = try invocation.choice("role", of: StoreRole.self) else {
            throw invocation.usage("--role is missing")
        }
        let argon2id = try Argon2idOption.value(of: invocation) ?? .standard
        let defaults = try invocation.value("defaults").map { path in
            let settings = try InputError.naming(path) { try StoreSettings(try Input.read(path)) }
            try settings.check(for: role)
            return settings.stored
        }
        let unlock = try UnlockOption.secret(of: invocation, isNew: true)
        var configuration = StoreConfiguration(role: role, unlock: unlock)
        configuration.argon2id = argon2id
        if let group = invocation.value("access-group") { configuration.accessGroup = group }
        configuration.anchor = invocation.value("anchor")
        configuration.unixGroup = invocation.value("unix-group")
        if let defaults { configuration.defaults = defaults }
        configuration.auditKeyFile = invocation.value("audit-key")
        let after = InitView.view(directory: directory, configuration)
        if invocation.isDryRun {
            try Store.checkCreation(directory: directory, configuration: configuration, now: invocation.clock)
            return Invocation.dryRunReport(before: .absent("store at \(directory)"), after: after)
        }
        // An interrupt takes effect before or after, and leaves no file without its store.
        let store = try HeldSignals.holding {
            try Store.create(directory: directory, configuration: configuration, now: invocation.clock)
        }
        try invocation.warnOfKeyFile(of: store)
        return InitView.view(directory: store.directory, configuration).report
    }
}
