import FoundationEssentials
import Testing

@testable import KeyStore

/// A store whose file is edited by somebody without its keys, and what was found out of that.
final class TamperingBench {
    private let scene: Scene
    private let database: RawDatabase
    /// Statements that put back the text of every table.
    private let known: String
    /// "edit member.added", for each thing that was tried and found.
    private(set) var found: Set<String> = []

    init(_ scene: Scene) throws {
        self.scene = scene
        let database = try RawDatabase(scene.database)
        self.database = database
        let tables = try database.texts("SELECT name FROM sqlite_schema WHERE type = 'table'")
        known = try tables.map { name in
            let sql = try #require(try database.text("SELECT sql FROM sqlite_schema WHERE name = '\(name)'"))
            return "UPDATE sqlite_schema SET sql = '\(sql.replacing("'", with: "''"))' WHERE name = '\(name)'"
        }.joined(separator: ";")
        try loosen()
        try expectWhole()
    }

    /// Who has the file need not keep its constraints.
    private func loosen() throws {
        try database.run(
            """
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = replace(replace(replace(sql, ' NOT NULL', ''), 'PRIMARY KEY,',
                'PRIMARY KEY NOT NULL,'), 'STRICT, ', '') WHERE type = 'table';
            PRAGMA writable_schema = RESET
            """)
    }

    /// The store verified under the text of the schema as it was, which is put back so that the edit goes unseen.
    private func verified() throws -> Result<StoreStatus, KeyStoreError> {
        try database.run("PRAGMA writable_schema = ON; \(known); PRAGMA writable_schema = RESET")
        defer { try? loosen() }
        do throws(KeyStoreError) { return .success(try scene.store.status(verify: true, now: scene.now)) } catch {
            return .failure(error)
        }
    }

    static func columns(of table: Table) -> [String] {
        let secret = table.carriesSecret ? ["class_key", "class_key_version", "item_key", "value"] : []
        return ["version"] + table.columns.map(\.name) + secret + ["sealed"]
    }

    /// The columns as the database has them, with their types.
    func declared(_ table: Table) throws -> [(name: String, type: String)] {
        let names = try database.texts("SELECT name FROM pragma_table_info('\(table.name)')")
        return Array(zip(names, try database.texts("SELECT type FROM pragma_table_info('\(table.name)')")))
    }

    func last(_ table: Table) throws -> String {
        try #require(try database.text("SELECT max(id) FROM \(table.name)"), "\(table) has no row")
    }

    func first(_ table: Table) throws -> String {
        try #require(try database.text("SELECT min(id) FROM \(table.name)"), "\(table) has no row")
    }

    func differs(_ table: Table, _ column: String, _ one: String, _ other: String) throws -> Bool {
        try Set(
            database.texts("SELECT quote(\(column)) FROM \(table.name) WHERE id IN ('\(one)', '\(other)')")
        ).count == 2
    }

    /// Whether the row that is edited has nothing in that column.
    func isEmpty(_ table: Table, _ column: String) throws -> Bool {
        try database.text("SELECT quote(\(column)) FROM \(table.name) WHERE id = '\(try last(table))'") == "NULL"
    }

    /// Keeps every row as it is now, in `old_table`.
    func keepOld(_ tables: [Table]) throws {
        for table in tables { try database.run("CREATE TEMP TABLE old_\(table.name) AS SELECT * FROM \(table.name)") }
    }

    /// Another value of the same form, or one where there is none.
    func edit(_ table: Table, _ column: String, _ identifier: String) -> String {
        """
        UPDATE \(table.name) SET \(column) = CASE typeof(\(column))
            WHEN 'integer' THEN \(column) + 1
            WHEN 'text' THEN \(column) || 'A'
            WHEN 'blob' THEN CAST(substr(\(column), 1, length(\(column)) - 1) || x'00' || x'01' AS BLOB)
            ELSE (SELECT CASE type WHEN 'TEXT' THEN 'A' WHEN 'BLOB' THEN x'00' ELSE 1 END
                  FROM pragma_table_info('\(table.name)') WHERE name = '\(column)') END
        WHERE id = '\(identifier)'
        """
    }

    /// Makes the edit, expects `status --verify` to find and name it, and takes it back. What changes nothing is not tried.
    func find(
        _ what: String, _ table: Table, _ column: String, _ sql: String, _ location: SourceLocation = #_sourceLocation
    ) throws {
        let attempt = "\(what) \(table.name).\(column)"
        let before = try content(table)
        try database.edit(sql, of: [table]) {
            guard try content(table) != before else { return }
            let result = try verified()
            let error = failure { () throws(KeyStoreError) in _ = try result.get() }
            // Slots and class keys refer to each other: which is named of them depends on which is asked first.
            let text = error.map { "\($0.subject) \($0.reason)" }?.replacing("_", with: " ")
            let isNamed = text?.contains(table.name.replacing("_", with: " ")) == true
            #expect(
                error?.kind == .damaged && isNamed, "\(attempt): \(String(describing: error))", sourceLocation: location)
            if error?.kind == .damaged { found.insert(attempt) }
        }
    }

    func expectWhole(_ location: SourceLocation = #_sourceLocation) throws {
        let rows = try verified().get().verifiedRows ?? 0
        #expect(rows > 10, sourceLocation: location)
    }

    private func content(_ table: Table) throws -> [String] {
        let columns = (["id"] + Self.columns(of: table)).map { "quote(\($0))" }.joined(separator: " || ',' || ")
        return try database.texts("SELECT \(columns) FROM \(table.name) ORDER BY id")
    }
}
