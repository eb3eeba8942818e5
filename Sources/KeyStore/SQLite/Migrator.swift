/// Brings a database to the newest schema, and refuses one that is not on the way there.
struct Migrator {
    let migrations: [Migration]

    init(_ migrations: [Migration] = EmbeddedMigrations.all) { self.migrations = migrations }

    var newest: Int { migrations.last?.version ?? 0 }

    /// The number of the newest migration applied, each found as it was when it was applied.
    /// - Throws: `.schemaFromTheFuture` for a version this program does not know, `.damaged` for a changed checksum.
    func applied(in connection: Connection) throws(KeyStoreError) -> Int {
        let tables = try connection.rows(
            "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'schema_migration'", [])
        guard tables.first?.first == .integer(1) else {
            throw KeyStoreError(.damaged, connection.path, "it is not the database of a key store")
        }
        let rows = try connection.rows("SELECT version, name, checksum FROM schema_migration ORDER BY version", [])
        for (index, row) in rows.enumerated() {
            guard row.count == 3, case .integer(let version) = row[0] else {
                throw KeyStoreError(.damaged, connection.path, "the record of migrations cannot be read")
            }
            if version > newest {
                throw KeyStoreError(
                    .schemaFromTheFuture, connection.path,
                    "schema \(version) is newer than \(newest), the newest known",
                    hint: "use the version of Waxwing that wrote it")
            }
            guard index < migrations.count, migrations[index].version == version,
                row[1] == .text(migrations[index].name), row[2] == .text(migrations[index].checksum)
            else {
                // With a wrong digest every checksum is another.
                try SelfTest.require()
                throw KeyStoreError(
                    .damaged, connection.path, "migration \(version) is not the one known by that number")
            }
        }
        return rows.isEmpty ? 0 : migrations[rows.count - 1].version
    }

    /// Makes the record of migrations and applies what is missing, each migration in a transaction of its own.
    func migrate(_ connection: Connection, now: Int64) throws(KeyStoreError) {
        try connection.execute(
            """
            CREATE TABLE IF NOT EXISTS schema_migration (
                version INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied INTEGER NOT NULL
            ) STRICT
            """)
        for migration in migrations {
            try connection.transaction { () throws(KeyStoreError) in
                guard try applied(in: connection) < migration.version else { return }
                try apply(migration, to: connection, now: now)
            }
        }
    }

    /// Applies what is missing in the transaction that is open, and returns it.
    func applyMissing(to connection: Connection, now: Int64) throws(KeyStoreError) -> [Migration] {
        let applied = try applied(in: connection)
        let missing = migrations.filter { $0.version > applied }
        for migration in missing { try apply(migration, to: connection, now: now) }
        return missing
    }

    private func apply(_ migration: Migration, to connection: Connection, now: Int64) throws(KeyStoreError) {
        do throws(KeyStoreError) { try connection.execute(migration.sql) } catch {
            guard error.kind == .damaged else { throw error }
            throw KeyStoreError(
                .damaged, connection.path,
                "its tables are not as those before migration \(migration.version) made them (\(error.reason))",
                hint: SQLiteStructure.hint)
        }
        try connection.run(
            "INSERT INTO schema_migration (version, name, checksum, applied) VALUES (?, ?, ?, ?)",
            [.integer(Int64(migration.version)), .text(migration.name), .text(migration.checksum), .integer(now)])
    }
}
