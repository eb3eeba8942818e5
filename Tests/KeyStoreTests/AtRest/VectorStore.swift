import EnvelopeFormat
import Foundation
import Testing

@testable import KeyStore

/// The database of a made-up store, of which each case gets a copy with its changes.
final class VectorStore {
    private let folder: String
    private let document: StoreVectors.Document
    /// Statements that put back the text of every table.
    private let known: String

    private var whole: String { folder + "/whole" }
    private var copy: String { folder + "/copy" }

    init(_ document: StoreVectors.Document) throws {
        self.document = document
        folder = try Scene.temporaryDirectory()
        let whole = folder + "/whole"
        try RawDatabase.make(whole)
        _ = try SQLiteStorage.migrating(path: whole, now: 0)
        let database = try RawDatabase(whole)
        let tables = try database.texts("SELECT name FROM sqlite_schema WHERE type = 'table'")
        known = try tables.map { name in
            let sql = try #require(try database.text("SELECT sql FROM sqlite_schema WHERE name = '\(name)'"))
            return "UPDATE sqlite_schema SET sql = '\(sql.replacing("'", with: "''"))' WHERE name = '\(name)'"
        }.joined(separator: ";")
        let rows = document.tables.flatMap { table, rows in rows.map { Self.insertion(of: $0, into: table) } }
        try database.run("PRAGMA foreign_keys = OFF; BEGIN; \(rows.joined(separator: ";")); COMMIT")
        // A copy is of the file alone.
        try database.run("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE")
    }

    deinit { Scene.remove(folder) }

    private static func insertion(of row: [String: VectorValue], into table: String) -> String {
        let columns = row.keys.sorted()
        let values = columns.map { row[$0]?.sql ?? "NULL" }.joined(separator: ", ")
        return "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES (\(values))"
    }

    /// Hands over what reads the store after the changes.
    func changed<Result>(
        _ changes: [StoreVectors.Change], _ sql: String? = nil, _ body: (SQLiteStorage) throws -> Result
    ) throws -> Result {
        for suffix in ["", "-wal", "-shm"] { Scene.remove(copy + suffix) }
        try FileManager.default.copyItem(atPath: whole, toPath: copy)
        if !changes.isEmpty || sql != nil {
            let database = try RawDatabase(copy)
            try database.run("PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF")
            if let sql { try database.run(sql) }
            if !changes.isEmpty { try apply(changes, to: database) }
        }
        return try body(try SQLiteStorage(path: copy))
    }

    /// Who has the file need not keep its constraints, and puts back the text that says them.
    private func apply(_ changes: [StoreVectors.Change], to database: RawDatabase) throws {
        try database.run(
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = replace(replace(replace(replace(sql, 'STRICT, ', ''), ' NOT NULL', ''),
                'PRIMARY KEY,', 'PRIMARY KEY NOT NULL,'), ' TEXT', '') WHERE type = 'table' AND name <> 'schema_migration';
            PRAGMA writable_schema = RESET
            """)
        for change in changes {
            if let row = change.add {
                try database.run(Self.insertion(of: row, into: change.table))
            } else if let name = change.remove {
                try database.run("DELETE FROM \(change.table) WHERE id = \(VectorValue.text(name).sql)")
            } else {
                let (name, set) = (try #require(change.row), try #require(change.set))
                let values = set.map { "\($0) = \($1.sql)" }.joined(separator: ", ")
                try database.run("UPDATE \(change.table) SET \(values) WHERE id = \(VectorValue.text(name).sql)")
            }
        }
        try database.run("PRAGMA writable_schema = ON; \(known); PRAGMA writable_schema = RESET")
    }

    /// What opens the store after the changes, with the class keys but for those that are locked away.
    func open<Result>(
        _ unlock: StoreVectors.Unlock?, _ changes: [StoreVectors.Change], _ sql: String? = nil, without: [String] = [],
        _ body: (RecordTransaction) throws(KeyStoreError) -> Result
    ) throws -> Result {
        let secret = try self.secret(unlock ?? document.unlock)
        do {
            return try changed(changes, sql) { storage in
                try storage.read { (rows) throws(KeyStoreError) in
                    let store = try Store.ownRow(in: rows).identifier
                    let unlocked = try Keybag(store: store, in: rows).unlock(with: secret, group: nil, of: "store")
                    let keys = unlocked.keys.filter { !without.contains($0.key.name.rawValue) }
                    return try body(
                        RecordTransaction(rows, RowCipher(store: store, keys: OperationKeys(keys, NoSource(), rows))))
                }
            }
        } catch let error as KeyStoreError {
            // By what the vectors call them.
            let subject = [copy: "database", keyFile: "key file"][error.subject] ?? error.subject
            throw KeyStoreError(error.kind, subject, error.reason)
        }
    }

    private var keyFile: String { folder + "/key" }

    private func secret(_ unlock: StoreVectors.Unlock) throws -> UnlockSecret {
        if let passphrase = unlock.passphrase {
            var bytes = Array(passphrase.utf8)
            do { return .passphrase(try Passphrase(consuming: &bytes)) } catch { throw KeyStoreError(error, "passphrase") }
        }
        let text = try #require(unlock.key_file)
        let bytes = try #require(Base64URL.decode(text))
        try Data(bytes).write(to: URL(filePath: keyFile))
        #expect(chmod(keyFile, 0o600) == 0)
        return .keyFile(path: keyFile)
    }
}
