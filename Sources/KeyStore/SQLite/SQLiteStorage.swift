internal import Glibc

/// Records in a SQLite database: write-ahead log, one writer at a time, one connection a process and store.
final class SQLiteStorage: KeyStorage, @unchecked Sendable {
    private let connection: Connection
    private let lock = ThreadLock()
    private let owner = getpid()
    /// The schema that a writer needs; nil for a database that is being made or migrated.
    private let schema: Int?

    /// Opens a database that has the newest schema.
    init(path: String) throws(KeyStoreError) {
        connection = try Connection(path: path)
        let migrator = Migrator()
        let applied = try migrator.applied(in: connection)
        guard applied == migrator.newest else {
            throw KeyStoreError(
                .refused, path, "schema \(applied) is older than \(migrator.newest)", hint: "keyctl migrate")
        }
        try Self.requireLog(connection)
        schema = migrator.newest
    }

    /// Opens a database of whatever schema, to be migrated and for nothing else.
    convenience init(unmigrated path: String) throws(KeyStoreError) {
        let connection = try Connection(path: path)
        _ = try Migrator().applied(in: connection)
        try Self.requireLog(connection)
        self.init(connection)
    }

    private init(_ connection: Connection) {
        self.connection = connection
        schema = nil
    }

    /// Makes the schema in an empty file.
    static func migrating(path: String, now: Int64) throws(KeyStoreError) -> SQLiteStorage {
        let connection = try Connection(path: path)
        try SelfTest.require()
        try requireLog(connection)
        try Migrator().migrate(connection, now: now)
        return SQLiteStorage(connection)
    }

    /// Applies the migrations that are missing, in the writing transaction whose body this is called in.
    func applyMigrations(now: Int64) throws(KeyStoreError) -> [Migration] {
        try Migrator().applyMissing(to: connection, now: now)
    }

    /// Has the database keep a write-ahead log: a copy that SQLite made of one does not, and then a reader and a writer
    /// would wait for each other.
    static func requireLog(_ connection: Connection) throws(KeyStoreError) {
        let wanted: [[FieldValue]] = [[.text("wal")]]
        guard try connection.rows("PRAGMA journal_mode", []) != wanted else { return }
        let reason = "it has no write-ahead log, and cannot be given one"
        let mode: [[FieldValue]]
        do { mode = try connection.rows("PRAGMA journal_mode = WAL", []) } catch {
            throw KeyStoreError(error.kind, connection.path, "\(reason): \(error.reason)", hint: error.hint)
        }
        guard mode == wanted else { throw KeyStoreError(.unavailable, connection.path, reason) }
    }

    func schemaVersion() throws(KeyStoreError) -> Int {
        try exclusively { () throws(KeyStoreError) in try Migrator().applied(in: connection) }
    }

    func read<Result>(
        _ body: (any StorageTransaction) throws(KeyStoreError) -> Result
    ) throws(KeyStoreError) -> Result { try transact("BEGIN", body) }

    func write<Result>(
        _ body: (any StorageTransaction) throws(KeyStoreError) -> Result
    ) throws(KeyStoreError) -> Result {
        // Here, as every write comes by: what a wrong library makes of a row is not to be had back.
        try SelfTest.require()
        return try transact("BEGIN IMMEDIATE") { (rows) throws(KeyStoreError) in
            try requireSchema()
            return try body(rows)
        }
    }

    /// That no newer program migrated the database meanwhile: what it keeps besides, this one would not.
    private func requireSchema() throws(KeyStoreError) {
        guard let schema,
            try connection.rows("SELECT max(version) FROM schema_migration", []) != [[.integer(Int64(schema))]]
        else { return }
        throw KeyStoreError(
            .schemaFromTheFuture, connection.path, "it was migrated from schema \(schema) while it was open",
            hint: "use the version of Waxwing that did")
    }

    func eraseDeleted() throws(KeyStoreError) -> Bool {
        try exclusively { () throws(KeyStoreError) in try connection.truncateLog() }
    }

    /// What each statement has cost so far, by its SQL.
    func work() throws(KeyStoreError) -> [String: (steps: Int, scanned: Int)] {
        try exclusively { () throws(KeyStoreError) in connection.work }
    }

    private func transact<Result>(
        _ begin: String, _ body: (any StorageTransaction) throws(KeyStoreError) -> Result
    ) throws(KeyStoreError) -> Result {
        try exclusively { () throws(KeyStoreError) in
            do throws(KeyStoreError) {
                return try connection.transaction(begin) { () throws(KeyStoreError) in
                    try body(SQLiteTransaction(connection))
                }
            } catch {
                // SQLite does not say what is not there.
                if schema != nil, connection.hasMissedSomething { try SQLiteStructure.check(connection) }
                throw error
            }
        }
    }

    private func exclusively<Result>(_ body: () throws(KeyStoreError) -> Result) throws(KeyStoreError) -> Result {
        guard getpid() == owner else {
            throw KeyStoreError(
                .unavailable, connection.path, "it was opened before this process was forked", hint: "open it again")
        }
        return try lock.with(body)
    }
}
