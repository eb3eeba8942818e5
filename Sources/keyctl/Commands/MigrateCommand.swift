import EnvelopeFormat
import KeyStore

/// `migrate`: brings a store to the newest schema.
enum MigrateCommand {
    static let row = Command(
        "migrate", "bring a store to the newest schema",
        details: [
            "A store that an older version made is refused by every other command until it is migrated. All of it is one "
                + "transaction: what is interrupted changed nothing, and is repeated. Every row is checked on the way.",
            "Stop what works on the store first: programs of the older version do not know what the newer one keeps.",
            "A migration needs the keys of the store. A sealer store that holds the path of its key file, and a store "
                + "that is unlocked, need neither option.",
            "A store of before there was an audit log is given one. --audit-key is for that as it is for init, and refused "
                + "for a store that has a log.",
        ],
        options: [
            .passphraseDescriptor,
            OptionSpec("key-file", "FILE", "the key file of a store made with one", completion: .files),
            OptionSpec(
                "audit-key", "FILE", "write the start key of the new audit log to a new file, mode 0600", completion: .files),
        ],
        example: "migrate --store sealer --dry-run", role: .any, changesState: true, run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        let secret = UnlockOption.isGiven(invocation) ? try UnlockOption.secret(of: invocation, isNew: false) : nil
        let directory = try invocation.storeDirectory()
        return try LongJob.run(invocation, "rows") { goesOn in
            let report = try Store.migrate(
                directory: directory, secret: secret, auditKeyFile: invocation.value("audit-key"),
                isRehearsal: invocation.isDryRun, now: invocation.clock, goesOn: goesOn)
            let after = MigrationView.view(of: report, auditKeyFile: invocation.value("audit-key"))
            guard invocation.isDryRun else { return after.report }
            return Invocation.dryRunReport(before: MigrationView.before(report), after: after)
        }
    }
}
