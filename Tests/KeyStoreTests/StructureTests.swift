import Testing

@testable import KeyStore

/// What no seal tells of: indexes and tables that do not find what is there. The text of the schema is put back each time, as
/// somebody would who wants to go unseen.
@Suite struct StructureTests {
    private static let indexes = forged { try $0.texts("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL") }
    private static let tables = Table.allCases.map(\.name)

    private static func forged(_ names: (RawDatabase) throws -> [String]) -> [String] {
        guard let scene = try? Scene(.sealer), let raw = try? RawDatabase(scene.database) else { return [] }
        return (try? names(raw)) ?? []
    }

    @Test func thereAreIndexes() { #expect(Self.indexes.count > 10) }

    @Test(arguments: indexes) func anIndexThatLeavesRowsOutIsFound(index: String) throws {
        let scene = try RowTamperingTests.furnished(
            index.hasPrefix("held") || index.hasPrefix("item") || index.hasPrefix("replay") ? .device : .sealer)
        let raw = try RawDatabase(scene.database)
        let sql = try #require(try raw.texts("SELECT sql FROM sqlite_schema WHERE name = '\(index)'").first)
        let table = try #require(try raw.texts("SELECT tbl_name FROM sqlite_schema WHERE name = '\(index)'").first)
        let columns = sql.drop { $0 != "(" }.dropFirst().dropLast()
        let first = columns.prefix { $0 != "," && $0 != ")" }
        try #require(try raw.texts("SELECT count(*) FROM \(table)").first != "0")
        try raw.run(
            """
            DROP INDEX \(index);
            CREATE INDEX \(index) ON \(table) (CASE WHEN id > '' THEN 'zz' ELSE \(first) END\(columns.dropFirst(first.count)));
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = '\(sql.replacing("'", with: "''"))' WHERE name = '\(index)';
            """)
        try expectFound(scene)
    }

    @Test(arguments: tables) func aTableInAnotherOrderIsFound(table: String) throws {
        for role in [StoreRole.sealer, .device] {
            let scene = try RowTamperingTests.furnished(role)
            let raw = try RawDatabase(scene.database)
            // One row is in every order.
            guard let count = try raw.texts("SELECT count(*) FROM \(table)").first.flatMap({ Int($0) }), count > 1 else { continue }
            let sql = try #require(try raw.texts("SELECT sql FROM sqlite_schema WHERE name = '\(table)'").first)
            let indexes = try raw.texts(
                "SELECT sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = '\(table)' AND sql IS NOT NULL")
            let other = sql.replacing("id TEXT PRIMARY KEY NOT NULL", with: "id TEXT NOT NULL")
                .replacing("sealed BLOB NOT NULL", with: "sealed BLOB NOT NULL, PRIMARY KEY (id DESC)")
            try raw.run(
                """
                PRAGMA foreign_keys = OFF;
                CREATE TEMP TABLE kept AS SELECT * FROM main.\(table);
                DROP TABLE main.\(table);
                \(other);
                INSERT INTO main.\(table) SELECT * FROM temp.kept;
                \(indexes.map { "\($0);" }.joined())
                PRAGMA writable_schema = ON;
                UPDATE sqlite_schema SET sql = '\(sql.replacing("'", with: "''"))' WHERE name = '\(table)';
                """)
            try expectFound(scene)
        }
    }

    @Test(
        arguments: [
            "DROP INDEX member_by_device", "CREATE TABLE more (id TEXT)", "CREATE VIEW other AS SELECT * FROM member",
            "CREATE TRIGGER copy AFTER UPDATE ON member BEGIN DELETE FROM bundle; END",
            "CREATE INDEX more ON member (version)",
        ]) func whatNoMigrationMadeIsFound(sql: String) throws
    {
        let scene = try RowTamperingTests.furnished(.sealer)
        try RawDatabase(scene.database).run(sql)
        try expectFound(scene)
    }

    /// SQLite gives nobody such a name, but the schema is a table like others.
    @Test(
        arguments: [
            "CREATE TABLE more (id TEXT)", "CREATE VIEW more AS SELECT * FROM member",
            "CREATE TRIGGER more AFTER UPDATE ON member BEGIN DELETE FROM bundle; END",
            "CREATE UNIQUE INDEX more ON member (id, device)",
        ]) func aNameOfSQLitesOwnIsNoExcuse(sql: String) throws
    {
        let scene = try RowTamperingTests.furnished(.sealer)
        let raw = try RawDatabase(scene.database)
        try raw.run(
            """
            \(sql);
            PRAGMA writable_schema = ON;
            UPDATE sqlite_schema SET sql = replace(sql, 'more', 'sqlite_more'),
                tbl_name = replace(tbl_name, 'more', 'sqlite_more'), name = 'sqlite_more' WHERE name = 'more';
            PRAGMA writable_schema = RESET
            """)
        try #require(try raw.texts("SELECT count(*) FROM sqlite_schema WHERE name = 'sqlite_more'") == ["1"])
        let error = failure { _ = try scene.reopened().status(verify: true, now: scene.now) }
        #expect(error?.subject.hasSuffix(" sqlite_more of the database") == true, "\(String(describing: error))")
        #expect(error?.reason == "no migration made it")
        try expectFound(scene)
    }

    /// SQLite says only that there is an error.
    @Test func aTableThatIsGoneIsNamed() throws {
        let scene = try Scene(.device)
        try RawDatabase(scene.database).run("DROP TABLE replay")
        let error = failure { _ = try scene.reopened().status(verify: true, now: scene.now) }
        #expect(error?.kind == .damaged && error?.subject == "table replay of the database" && error?.reason == "it is not there")
    }

    private func expectFound(_ scene: Scene) throws {
        let store = try scene.reopened()
        #expect(failure { _ = try store.status(verify: true, now: scene.now) }?.kind == .damaged)
        let file = scene.root + "/backup"
        let key = UnlockSecret.keyFile(path: scene.root + "/backup.key")
        #expect(failure { _ = try store.backUp(to: file, secret: key, now: scene.now) }?.kind == .damaged)
    }
}
