/// A key store that is open: one access group in one directory, for any number of threads and processes.
public final class Store: Sendable {
    public let role: StoreRole
    /// The absolute path of the store's directory.
    public let directory: String
    public let accessGroup: String
    /// 32 hexadecimal digits, drawn when the store was made.
    public let identifier: String
    /// What tells every process that keys or the lock state changed.
    public let generation: Generation

    let storage: any KeyStorage
    let pace = ErasurePace()
    let source: any ClassKeySource
    /// Whether it was opened as a sealer store that knows its key file, so that unlocking it needs no secret.
    public let knowsKeyFile: Bool
    let unixGroup: UInt32?
    /// Whose the store's files are, and which modes they have.
    let rules: AccessRules
    /// Where the database was found and which file it is; nil for a store that is only rehearsed.
    private let place: (files: GroupDirectory, database: FileStatus.Identity)?

    /// Opens a store. Nothing in it is changed, and it need not be unlocked.
    /// - Parameter accessGroup: nil for the standard one, or the only one there is.
    /// - Throws: `.unavailable` when it is not there, `.permission` naming path and mode, `.damaged`, `.schemaFromTheFuture`.
    public static func open(directory: String, accessGroup: String? = nil) throws(KeyStoreError) -> Store {
        let path = try AbsolutePath(directory)
        return try Store(path, try AccessGroups.named(accessGroup, in: path))
    }

    init(_ path: AbsolutePath, _ accessGroup: String) throws(KeyStoreError) {
        try StoreLibraries.check()
        try StoreConfiguration.check(accessGroup: accessGroup)
        let files = try GroupDirectory(store: path, accessGroup: accessGroup)
        let identity = try files.checkFiles()
        let storage = try SQLiteStorage(path: files.databasePath)
        try files.checkUnchanged(identity)
        let record = try storage.read { (transaction) throws(KeyStoreError) in
            try Self.record(in: transaction, files, accessGroup)
        }
        role = record.role
        self.directory = path.string
        self.accessGroup = accessGroup
        identifier = record.identifier
        generation = try Generation(in: files)
        self.storage = storage
        unixGroup = files.rules.group
        rules = files.rules
        place = (files, identity)
        knowsKeyFile = record.role == .sealer && record.keyFile != nil
        source = try Self.source(of: record, files, generation)
    }

    /// Where the class keys of a store come from.
    static func source(
        of record: StoreRow, _ files: GroupDirectory, _ generation: Generation?
    ) throws(KeyStoreError) -> any ClassKeySource {
        let session = try SessionSource(record, files, generation)
        guard record.role == .sealer else { return session }
        return RecordedSource(
            store: record.identifier, directory: files.store.string, unixGroup: files.rules.group, session: session,
            known: record.keyFile)
    }

    /// A store that is only rehearsed, inside a transaction of the real one.
    init(rehearsing other: Store, in transaction: any StorageTransaction) throws(KeyStoreError) {
        role = other.role
        directory = other.directory
        accessGroup = other.accessGroup
        identifier = other.identifier
        generation = try Generation(rehearsing: other.generation, other.directory)
        storage = RehearsalStorage(transaction)
        source = other.source.rehearsed()
        knowsKeyFile = other.knowsKeyFile
        unixGroup = other.unixGroup
        rules = other.rules
        place = nil
    }

    /// Whether everything done to it is taken back.
    var isRehearsed: Bool { place == nil }

    /// That the store is where it was opened. Every transaction asks, as SQLite goes on with a file that was removed; so
    /// should who works without transactions for long.
    /// - Throws: `.unavailable`, or `.permission` when something else is in its place.
    package func checkPlace() throws(KeyStoreError) {
        if let place { try place.files.checkPlace(place.database) }
    }

    /// The store's own row, not yet believed, but of the files it is found in.
    static func record(
        in transaction: any StorageTransaction, _ files: GroupDirectory, _ accessGroup: String
    ) throws(KeyStoreError) -> StoreRow {
        let record = try ownRow(in: transaction)
        guard record.owner == Int64(files.rules.owner), record.unixGroup == files.rules.group.map(Int64.init),
            record.accessGroup == accessGroup
        else {
            throw KeyStoreError(
                .permission, files.path.string, "owner, group or name is not that with which the store was made")
        }
        return record
    }

    /// - Throws: `.damaged` where there is not exactly one.
    static func ownRow(in transaction: any StorageTransaction) throws(KeyStoreError) -> StoreRow {
        let rows = try transaction.rows(.store, [], limit: 2)
        guard let row = rows.first, rows.count == 1, row.identifier.utf8.count == 32 else {
            throw KeyStoreError(.damaged, "row store", "there is not exactly one")
        }
        return try Held<StoreRow>(row).record
    }
}

extension Store: CustomStringConvertible, CustomReflectable {
    public var description: String { "Store \(accessGroup) in \(directory)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
