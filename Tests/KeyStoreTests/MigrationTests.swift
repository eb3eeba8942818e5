import EnvelopeFormat
import FoundationEssentials
import StoreFixtures
import Testing

@testable import KeyStore

/// Stores of the first schema, made by the program of then (`Tests/Fixtures/schema-1`), come to the newest with all they had.
@Suite struct MigrationTests {
    private final class Old {
        private let turn: FixtureTurn?
        let root: String
        let store: StoreFixture
        let raw: RawDatabase

        init(_ name: String) throws {
            turn = name == "phone" ? try FixtureTurn() : nil
            root = try Scene.temporaryDirectory()
            store = try StoreFixture("schema-1", name, at: root + "/store", keyFile: root + "/key")
            raw = try RawDatabase(store.database)
        }

        deinit { Scene.remove(root) }

        /// A time at which nothing of it was due to change by itself.
        func now() throws -> Int64 {
            let text = try raw.text("SELECT max(created) + 60 FROM conversation_secret")
            return try #require(text.flatMap { Int64($0) })
        }

        /// Every row of every table there was, as text.
        func rows() throws -> [String] {
            let tables = try raw.texts(
                """
                SELECT name FROM sqlite_schema WHERE type = 'table'
                AND name NOT IN ('schema_migration', 'digest', 'housekeeping') ORDER BY name
                """)
            return try tables.flatMap { table in
                let columns = try raw.texts("SELECT name FROM pragma_table_info('\(table)')")
                let quoted = columns.map { "quote(\($0))" }.joined(separator: " || ',' || ")
                return try raw.texts("SELECT \(quoted) FROM \(table) ORDER BY 1").map { "\(table) \($0)" }
            }
        }

        func schema() throws -> String? { try raw.text("SELECT max(version) FROM schema_migration") }
        func migrate(_ secret: UnlockSecret? = nil, isRehearsal: Bool = false) throws(KeyStoreError) -> MigrationReport {
            try Store.migrate(directory: store.directory, secret: secret, isRehearsal: isRehearsal, now: Scene.start)
        }
    }

    private static var passcode: UnlockSecret { get throws { .passphrase(try .of(StoreFixture.passcode)) } }

    @Test func aSealerStoreComesWithAllItHad() throws {
        let old = try Old("sealer")
        let before = try old.rows()
        #expect(before.count > 30)
        let report = try old.migrate()
        #expect(report.schemaBefore == 1 && report.schemaAfter == Migrator().newest && report.role == .sealer)
        #expect(report.applied == EmbeddedMigrations.all.dropFirst().map(\.fileName))
        let after = try old.rows()
        #expect(Set(before).subtracting(after).isEmpty, "a row is gone or another")
        let now = try old.now()
        let store = try Store.open(directory: old.store.directory)
        let sealer = try SealerStore(store)
        #expect(try store.status(verify: true, now: now).verifiedRows ?? 0 > before.count)
        #expect(try sealer.devices().count == 2)
        let chat = try ConversationIdentifier("chat")
        let kid = try sealer.sealingState(chat, now: now).kid
        #expect(kid.epoch == 1)
        #expect(try sealer.ratchet(chat, now: now).epoch == 2)
        _ = try store.status(verify: true, now: now)
        let again = try old.migrate()
        #expect(again.applied.isEmpty && again.schemaBefore == again.schemaAfter)
    }

    @Test func aDeviceStoreComesWithAllItHad() throws {
        let old = try Old("phone")
        let before = try old.rows()
        let report = try old.migrate(try Self.passcode)
        #expect(report.schemaBefore == 1 && report.role == .device)
        #expect(Set(before).subtracting(try old.rows()).isEmpty, "a row is gone or another")
        // Nothing of it was put into the session: the keys are at hand here alone.
        let store = try Store.open(directory: old.store.directory)
        #expect(try store.lockState == .beforeFirstUnlock)
        let secret = try Self.passcode
        try store.storage.read { (rows) throws(KeyStoreError) in
            let keys = try Keybag(store: store.identifier, in: rows).unlock(with: secret, group: nil, of: "store").keys
            let cipher = RowCipher(store: store.identifier, keys: OperationKeys(keys, NoSource(), rows))
            let transaction = RecordTransaction(rows, cipher)
            let verified = try Verification(transaction).run { _ in true }
            #expect(verified > before.count)
            let held = try transaction.all(HeldEpochRow.self)
            #expect(held.count == 3)
            for epoch in held where epoch.hasSecret { _ = try transaction.secret(of: epoch) }
        }
    }

    @Test func aRehearsalChangesNothing() throws {
        let old = try Old("sealer")
        let before = try old.rows()
        let report = try old.migrate(isRehearsal: true)
        #expect(report.schemaAfter == Migrator().newest)
        #expect(try old.schema() == "1" && old.rows() == before)
        #expect(try old.migrate() == report)
    }

    /// The log that a store is given begins with that, and its start key leaves the store as it does with init.
    @Test func theStartKeyOfTheNewLogIsWritten() throws {
        let old = try Old("sealer")
        let file = old.root + "/audit.key"
        func migrate(isRehearsal: Bool = false) throws {
            try Store.migrate(
                directory: old.store.directory, auditKeyFile: file, isRehearsal: isRehearsal, now: Scene.start)
        }
        try migrate(isRehearsal: true)
        #expect(!FileManager.default.fileExists(atPath: file))
        try Data().write(to: URL(filePath: file))
        #expect(failure { try migrate() }?.kind == .alreadyExists)
        try FileManager.default.removeItem(atPath: file)
        #expect(try old.schema() == "1")
        try migrate()
        let key = try AuditKey(parsing: Array(try Data(contentsOf: URL(filePath: file))))
        let store = try Store.open(directory: old.store.directory)
        let verification = try store.verifyAudit(key: key)
        #expect(verification.holds && verification.unchecked == [.tail])
        let entries = try store.auditEntries(limit: 10)
        #expect(entries.map(\.operation) == [.founding, .migrate])
        #expect(entries.map(\.reason) == ["sealer store, made before there was a log", "schema 1 -> \(Migrator().newest)"])
        // Of a log that is there already the start key is nowhere.
        try FileManager.default.removeItem(atPath: file)
        for isRehearsal in [false, true] {
            #expect(failure { try migrate(isRehearsal: isRehearsal) }?.kind == .refused)
        }
        #expect(!FileManager.default.fileExists(atPath: file))
        #expect(try store.auditEntries(limit: 10) == entries)
    }

    @Test func aLockedStoreIsLeftAsItIs() throws {
        let old = try Old("phone")
        let before = try old.rows()
        let locked = failure { _ = try old.migrate() }
        #expect(locked?.kind == .locked && locked?.hint?.contains("--passphrase-fd") == true)
        let wrong = try UnlockSecret.passphrase(.of("4712"))
        #expect(failure { _ = try old.migrate(wrong) }?.kind == .authenticationFailed)
        #expect(try old.schema() == "1" && old.rows() == before)
        _ = try old.migrate(try Self.passcode)
    }

    @Test func aDamagedStoreIsLeftAsItIs() throws {
        let old = try Old("sealer")
        try old.raw.edit("UPDATE device SET name = 'Mallory' WHERE name = 'Red'") {
            let before = try old.rows()
            let error = failure { _ = try old.migrate() }
            #expect(error?.kind == .damaged && error?.subject.hasPrefix("row device/") == true)
            #expect(try old.schema() == "1" && old.rows() == before)
        }
        _ = try old.migrate()
    }

    /// One that went on writing would not keep what the newer schema keeps.
    @Test func aProgramThatIsOlderThanTheMigrationWritesNoMore() throws {
        let (scene, sealer, chat, _) = try Scene.withConversation()
        let newest = Migrator().newest
        try RawDatabase(scene.database).run("INSERT INTO schema_migration VALUES (\(newest + 1), 'later', 'x', 1)")
        #expect(failure { _ = try sealer.ratchet(chat, now: scene.now) }?.kind == .schemaFromTheFuture)
        try RawDatabase(scene.database).run("DELETE FROM schema_migration WHERE version > \(newest)")
        _ = try sealer.ratchet(chat, now: scene.now)
    }

    @Test func nothingElseWorksOnAnOldStore() throws {
        let old = try Old("sealer")
        #expect(
            failure { _ = try Store.open(directory: old.store.directory) }
                == KeyStoreError(
                    .refused, old.store.database, "schema 1 is older than \(Migrator().newest)", hint: "keyctl migrate"))
    }
}
