import CSQLite
import EnvelopeFormat
import FoundationEssentials
import Glibc
import Testing

@testable import KeyStore

@Suite struct DatabaseFaultTests {
    /// A store nobody has open.
    private func closed(_ body: (_ directory: String, _ database: String) throws -> Void) throws {
        let root = try Scene.temporaryDirectory()
        defer { Scene.remove(root) }
        let configuration = StoreConfiguration(role: .sealer, unlock: .keyFile(path: root + "/key"))
        _ = try Store.create(directory: root + "/store", configuration: configuration, now: 1)
        try body(root + "/store", root + "/store/" + StoreConfiguration.standardAccessGroup + "/store.sqlite")
    }

    @Test func whatIsNoDatabaseIsDamage() throws {
        try closed { directory, database in
            let junk = Array("this is not a database, whatever its name may say of it".utf8)
            try Data(junk).write(to: URL(filePath: database))
            chmod(database, 0o600)
            let error = failure { _ = try Store.open(directory: directory) }
            #expect(error?.kind == .damaged && error?.subject == database)
            let content = try Data(contentsOf: URL(filePath: database))
            #expect(content == Data(junk))
        }
    }

    @Test func anEmptyFileIsDamageAndStaysEmpty() throws {
        try closed { directory, database in
            #expect(truncate(database, 0) == 0)
            #expect(failure { _ = try Store.open(directory: directory) }?.kind == .damaged)
            let content = try Data(contentsOf: URL(filePath: database))
            #expect(content.isEmpty)
        }
    }

    @Test func aTornDatabaseIsDamageAndNoCrash() throws {
        for part in [0.5, 0.9, 0.1, 0.001] {
            try closed { directory, database in
                let size = try Data(contentsOf: URL(filePath: database)).count
                #expect(truncate(database, off_t(Double(size) * part)) == 0)
                let error = failure {
                    let store = try Store.open(directory: directory)
                    _ = try store.status(verify: true, now: 1)
                }
                #expect(error?.kind == .damaged, "\(part): \(String(describing: error))")
            }
        }
    }

    @Test func aDatabaseThatIsGoneIsUnavailableAndNotMade() throws {
        try closed { directory, database in
            #expect(unlink(database) == 0)
            let error = failure { _ = try Store.open(directory: directory) }
            #expect(error?.kind == .unavailable && access(database, F_OK) != 0)
        }
    }

    @Test func aCopyWithoutAWriteAheadLogIsGivenOne() throws {
        try closed { directory, database in
            try RawDatabase(database).run("VACUUM INTO '\(database).copy'")
            #expect(rename(database + ".copy", database) == 0 && chmod(database, 0o600) == 0)
            for suffix in ["-wal", "-shm"] { unlink(database + suffix) }
            #expect(try RawDatabase(database).text("PRAGMA journal_mode") == "delete")
            let store = try Store.open(directory: directory)
            #expect(try RawDatabase(database).text("PRAGMA journal_mode") == "wal")
            #expect(try store.status(verify: true, now: 1).verifiedRows ?? 0 > 0)
        }
    }

    @Test func aCopyInUseThatCannotBeGivenALogSaysSo() throws {
        let scene = try Scene(.sealer)
        let raw = try RawDatabase(scene.database)
        let copy = scene.root + "/copy"
        try raw.run("VACUUM INTO '\(copy)'")
        let other = try RawDatabase(copy)
        try other.run("BEGIN; SELECT count(*) FROM store")
        let connection = try Connection(path: copy, patience: .milliseconds(10))
        let error = failure { try SQLiteStorage.requireLog(connection) }
        #expect(error?.kind == .busy && error?.subject == copy)
        #expect(error?.reason.hasPrefix("it has no write-ahead log, and cannot be given one: ") == true)
        try other.run("COMMIT")
        try SQLiteStorage.requireLog(connection)
        #expect(try RawDatabase(copy).text("PRAGMA journal_mode") == "wal")
    }

    @Test func aSchemaFromTheFutureIsRefused() throws {
        let scene = try Scene(.sealer)
        let newest = Migrator().newest
        try RawDatabase(scene.database).run("INSERT INTO schema_migration VALUES (\(newest + 1), 'later', 'x', 1)")
        let error = failure { _ = try scene.reopened() }
        #expect(
            error
                == KeyStoreError(
                    .schemaFromTheFuture, scene.database, "schema \(newest + 1) is newer than \(newest), the newest known",
                    hint: "use the version of Waxwing that wrote it"))
        #expect(failure { try Store.migrate(directory: scene.directory, now: 1) }?.kind == .schemaFromTheFuture)
    }

    @Test(arguments: ["checksum = 'x'", "name = 'x'", "version = -version"]) func aChangedMigrationIsRefused(change: String)
        throws
    {
        let scene = try Scene(.sealer)
        try RawDatabase(scene.database).edit("UPDATE schema_migration SET \(change) WHERE version = 1") {
            #expect(failure { _ = try scene.reopened() }?.kind == .damaged)
        }
        _ = try scene.reopened()
    }

    @Test func migrationsAreAppliedInOrderEachOnItsOwn() throws {
        let root = try Scene.temporaryDirectory()
        defer { Scene.remove(root) }
        let path = root + "/m.sqlite"
        try RawDatabase.make(path)
        let connection = try Connection(path: path)
        let first = Migration(version: 1, name: "one", sql: "CREATE TABLE one (id INTEGER) STRICT;")
        let broken = Migration(version: 2, name: "two", sql: "CREATE TABLE two (id INTEGER) STRICT; SELECT nothing;")
        #expect(failure { try Migrator([first, broken]).migrate(connection, now: 1) }?.kind == .damaged)
        let database = try RawDatabase(path)
        #expect(try database.texts("SELECT name FROM sqlite_schema WHERE name IN ('one', 'two')") == ["one"])
        #expect(try Migrator([first]).applied(in: connection) == 1)
        let second = Migration(version: 2, name: "two", sql: "CREATE TABLE two (id INTEGER) STRICT;")
        try Migrator([first, second]).migrate(connection, now: 2)
        try Migrator([first, second]).migrate(connection, now: 3)
        #expect(try Migrator([first, second]).applied(in: connection) == 2)
        let edited = Migration(version: 1, name: "one", sql: "CREATE TABLE one (id TEXT) STRICT;")
        #expect(failure { _ = try Migrator([edited, second]).applied(in: connection) }?.kind == .damaged)
    }

    @Test func theEmbeddedMigrationsAreTheFiles() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let directory = root.appending(path: "migrations/sqlite")
        let names = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
        #expect(names.count == EmbeddedMigrations.all.count)
        for (name, migration) in zip(names, EmbeddedMigrations.all) {
            let number = String(migration.version)
            #expect(name == String(repeating: "0", count: 4 - number.count) + "\(number)_\(migration.name).sql")
            #expect(try Data(contentsOf: directory.appending(path: name)) == Data(migration.sql.utf8))
        }
    }

    @Test func everyCodeOfSQLiteHasAKind() {
        let expected: [(Int32, Int32, KeyStoreError.Kind)] = [
            (SQLITE_BUSY, 0, .busy), (SQLITE_LOCKED, 0, .busy), (SQLITE_FULL, 0, .full),
            (SQLITE_READONLY, 0, .readOnly),
            (SQLITE_CORRUPT, 0, .damaged), (SQLITE_NOTADB, 0, .damaged), (SQLITE_IOERR, EIO, .inputOutput),
            (SQLITE_IOERR, ENOSPC, .full), (SQLITE_IOERR, EDQUOT, .full), (SQLITE_CANTOPEN, EACCES, .permission),
            (SQLITE_CANTOPEN, EROFS, .readOnly),
            (SQLITE_CANTOPEN, EMFILE, .unavailable), (SQLITE_IOERR | 8 << 8, EIO, .inputOutput),
            (SQLITE_IOERR, EROFS, .readOnly), (SQLITE_CANTOPEN, EIO, .inputOutput), (SQLITE_NOMEM, 0, .unavailable), (4_874, 0, .full),
            (4_874, EIO, .full), (SQLITE_CANTOPEN, ENOSPC, .full),
        ]
        for (code, system, kind) in expected {
            let error = SQLiteCode.error(code, path: "p", systemError: system)
            #expect(error.kind == kind && error.subject == "p", "\(code)")
            #expect(error.reason != "SQLite: unable to open database file (14)")
        }
    }

    /// Whether this user may mount a file system for the test of a full one.
    static let canMount: Bool = {
        guard let root = try? Scene.temporaryDirectory() else { return false }
        defer { Scene.remove(root) }
        guard mount("tmpfs", root, "tmpfs", 0, "size=64k") == 0 else { return false }
        return umount(root) == 0
    }()

    @Test(.enabled(if: canMount, "needs the right to mount")) func aDirectoryOnlyToBeReadSaysSo() throws {
        try closed { directory, _ in
            let view = directory + "-view"
            #expect(mkdir(view, 0o700) == 0 && mount(directory, view, nil, UInt(MS_BIND), nil) == 0)
            defer { umount2(view, Int32(MNT_DETACH)) }
            #expect(mount(nil, view, nil, UInt(MS_REMOUNT) | UInt(MS_BIND) | UInt(MS_RDONLY), nil) == 0)
            let group = view + "/" + StoreConfiguration.standardAccessGroup
            let error = failure { _ = try Store.open(directory: view) }
            #expect(error?.kind == .readOnly && error?.subject == group, "\(String(describing: error))")
            #expect(error?.reason.hasPrefix("the directory cannot be written, which readers need too") == true)
        }
    }

    @Test(.enabled(if: canMount, "needs the right to mount")) func aFullDiskIsAnErrorAndChangesNothing() throws {
        let root = try Scene.temporaryDirectory()
        defer { Scene.remove(root) }
        #expect(mount("tmpfs", root, "tmpfs", 0, "size=1m,mode=700") == 0)
        defer { umount2(root, Int32(MNT_DETACH)) }
        let configuration = StoreConfiguration(role: .sealer, unlock: .keyFile(path: root + "/key"))
        let store = try Store.create(directory: root + "/store", configuration: configuration, now: 1)
        let sealer = try SealerStore(store)
        let error = failure { for _ in 0..<5_000 { _ = try sealer.enroll(try Phone().document(), now: 1) } }
        #expect(error?.kind == .full)
        let count = try sealer.devices().count
        #expect(count > 1)
        #expect(try store.status(verify: true, now: 1).counts.devices == count)
        #expect(mount("tmpfs", root, "tmpfs", UInt(MS_REMOUNT), "size=8m,mode=700") == 0)
        _ = try sealer.enroll(try Phone().document(), now: 1)
        #expect(try store.status(verify: true, now: 1).counts.devices == count + 1)
    }
}
