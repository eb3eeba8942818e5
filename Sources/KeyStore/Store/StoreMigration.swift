/// Brings the store in a directory to the newest schema: every step of SQL, and what takes keys, in one transaction. It is
/// done all or nothing; what was interrupted is repeated.
struct StoreMigration {
    /// The schema that the audit log came with.
    private static let schemaWithAudit = 2
    /// The schema that the digest over all rows came with.
    private static let schemaWithDigest = 3

    let files: GroupDirectory
    let accessGroup: String
    let secret: UnlockSecret?
    let auditKeyFile: AuditKeyFile?
    let now: Int64
    private let goesOn: (Int) -> Bool

    /// - Parameters:
    ///   - auditKeyFile: where the start key of the log goes, if the store has none yet.
    ///   - goesOn: asked now and then, with how many rows were counted; false ends it.
    init(
        _ store: AbsolutePath, _ accessGroup: String, _ secret: UnlockSecret?, auditKeyFile: String?, now: Int64,
        goesOn: @escaping (Int) -> Bool
    ) throws(KeyStoreError) {
        try StoreLibraries.check()
        try StoreConfiguration.check(accessGroup: accessGroup)
        files = try GroupDirectory(store: store, accessGroup: accessGroup)
        self.accessGroup = accessGroup
        self.secret = secret
        self.auditKeyFile = try auditKeyFile.map { (path) throws(KeyStoreError) in try AuditKeyFile(path) }
        self.now = now
        self.goesOn = goesOn
    }

    /// - Parameter isRehearsal: does everything and takes it back.
    func run(isRehearsal: Bool) throws(KeyStoreError) -> MigrationReport {
        let identity = try files.checkFiles()
        var report: MigrationReport?
        do {
            let storage = try SQLiteStorage(unmigrated: files.databasePath)
            try files.checkUnchanged(identity)
            try storage.write { (rows) throws(KeyStoreError) in
                let before = try rows.schemaVersion()
                guard auditKeyFile == nil || before < Self.schemaWithAudit else {
                    throw KeyStoreError(
                        .refused, files.store.string, "it has an audit log, whose start key is kept nowhere any more",
                        hint: "leave --audit-key out")
                }
                let steps = try storage.applyMigrations(now: now)
                report = try complete(rows, before, steps, isRehearsal: isRehearsal)
                if isRehearsal { throw Self.rollback }
            }
        } catch {
            auditKeyFile?.withdraw()
            guard isRehearsal, error == Self.rollback else { throw error }
        }
        guard let report else { throw KeyStoreError(.unavailable, files.databasePath, "the migration said nothing") }
        return report
    }

    private static let rollback = KeyStoreError(.refused, "rehearsal", "it is over")

    /// Does what the steps of SQL could not, as it takes keys. Records are read by it only: before the steps they may have
    /// other columns than this program knows.
    private func complete(
        _ rows: any StorageTransaction, _ before: Int, _ steps: [Migration], isRehearsal: Bool
    ) throws(KeyStoreError) -> MigrationReport {
        let store = try Store.record(in: rows, files, accessGroup)
        let report = MigrationReport(
            role: store.role, identifier: store.identifier, accessGroup: accessGroup, schemaBefore: before,
            schemaAfter: try rows.schemaVersion(), applied: steps.map(\.fileName))
        guard !steps.isEmpty else { return report }
        let keys = try keys(of: store, in: rows)
        defer { keys.end() }
        guard try keys.key(.integrity) != nil else {
            throw KeyStoreError(
                .locked, files.store.string, "the store is locked, and a migration needs its keys",
                hint: "give keyctl migrate what unlocks it: --passphrase-fd or --key-file")
        }
        try rows.checkStructure()
        let transaction = RecordTransaction(rows, RowCipher(store: store.identifier, keys: keys), now: now)
        var auditKey: AuditKey?
        if before < Self.schemaWithAudit {
            auditKey = try AuditLog.found(in: transaction)
            transaction.audit(
                .founding, "store \(store.identifier)", reason: "\(store.role.rawValue) store, made before there was a log")
        }
        transaction.audit(.migrate, "store \(store.identifier)", reason: "schema \(before) -> \(report.schemaAfter)")
        if before < Self.schemaWithDigest { transaction.foundDigest(goesOn: goesOn) }
        try transaction.finish()
        guard goesOn(0) else { throw .interrupted }
        // Before the commit: a store whose start key was lost would be worse than a key without a store.
        if let auditKey, !isRehearsal { try auditKeyFile?.make(auditKey) }
        return report
    }

    /// The keys by the secret that was given, else those of the session, or of the key file the store knows.
    private func keys(of store: StoreRow, in rows: any StorageTransaction) throws(KeyStoreError) -> OperationKeys {
        guard let secret else { return OperationKeys([:], try Store.source(of: store, files, Generation(in: files)), rows) }
        let keybag = try Keybag(store: store.identifier, in: rows)
        let unlocked = try keybag.unlock(with: secret, group: files.rules.group, of: files.store.string)
        return OperationKeys(unlocked.keys, NoSource(), rows)
    }
}

extension Store {
    /// Brings a store to the newest schema, all of it or nothing; a store that has it is left as it is.
    /// - Parameters:
    ///   - secret: what unlocks it; nil for one that is unlocked, or that knows its key file.
    ///   - auditKeyFile: a new file for the start key of the audit log, of a store that has no log yet.
    ///   - isRehearsal: does everything and takes it back, so that nothing is changed.
    ///   - goesOn: asked now and then, with how many rows were counted; false ends it, and nothing is changed.
    /// - Throws: `.refused` for the file of a log that is there already, `.locked` when its keys are not to be had,
    ///   `.damaged` naming the first row that does not hold, `.schemaFromTheFuture`, `.authenticationFailed`. Nothing is
    ///   changed then.
    @discardableResult
    public static func migrate(
        directory: String, accessGroup: String? = nil, secret: UnlockSecret? = nil, auditKeyFile: String? = nil,
        isRehearsal: Bool = false, now: Int64, goesOn: (Int) -> Bool = { _ in true }
    ) throws(KeyStoreError) -> MigrationReport {
        let path = try AbsolutePath(directory)
        let group = try AccessGroups.named(accessGroup, in: path)
        return try withoutActuallyEscaping(goesOn) { (goesOn) throws(KeyStoreError) in
            try StoreMigration(path, group, secret, auditKeyFile: auditKeyFile, now: now, goesOn: goesOn)
                .run(isRehearsal: isRehearsal)
        }
    }
}
