import CSQLite

@testable import KeyStore

/// The database without the store: what somebody with the file can do.
final class RawDatabase {
    private let handle: OpaquePointer

    init(_ path: String) throws {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil)
        guard code == SQLITE_OK, let handle else { throw RawFailure(code: code, message: "") }
        self.handle = handle
        sqlite3_busy_timeout(handle, 5_000)
    }

    deinit { sqlite3_close_v2(handle) }

    struct RawFailure: Error { let code: Int32, message: String }

    func run(_ sql: String) throws {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw RawFailure(code: code, message: String(cString: sqlite3_errmsg(handle))) }
    }

    /// Makes an edit of one kind of statement, runs the body, and puts everything back as it was.
    func edit(_ sql: String, _ body: () throws -> Void) throws {
        let tables = Set(sql.split(separator: "UPDATE ").compactMap { $0.split(separator: " ").first.map(String.init) })
        try edit(sql, of: tables, body)
    }

    /// The same of tables that are named.
    func edit(_ sql: String, of tables: [Table], _ body: () throws -> Void) throws {
        try edit(sql, of: Set(tables.map(\.name)), body)
    }

    private func edit(_ sql: String, of tables: Set<String>, _ body: () throws -> Void) throws {
        for table in tables {
            try run(
                "DROP TABLE IF EXISTS temp.kept_\(table); CREATE TEMP TABLE kept_\(table) AS SELECT * FROM main.\(table)"
            )
        }
        let before = sqlite3_total_changes(handle)
        try run("BEGIN; \(sql); COMMIT")
        let changes = sqlite3_total_changes(handle) - before
        defer {
            for table in tables {
                try? run(
                    "BEGIN; DELETE FROM main.\(table); INSERT INTO main.\(table) SELECT * FROM kept_\(table); COMMIT")
            }
        }
        guard changes > 0 else { throw RawFailure(code: 0, message: "nothing was edited: \(sql)") }
        try body()
    }

    /// How SQLite would go about it: "SCAN bundle", "SEARCH bundle USING …".
    func plan(of sql: String) throws -> [String] { try texts("EXPLAIN QUERY PLAN \(sql)", column: 3) }

    func texts(_ sql: String, column: Int32 = 0) throws -> [String] {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        guard code == SQLITE_OK else { throw RawFailure(code: code, message: String(cString: sqlite3_errmsg(handle))) }
        defer { sqlite3_finalize(statement) }
        var texts: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            if let text = sqlite3_column_text(statement, column) { texts.append(String(cString: text)) }
        }
        return texts
    }

    func text(_ sql: String) throws -> String? { try texts(sql).first }
}

extension RawDatabase {
    /// An empty file, which SQLite takes for an empty database.
    static func make(_ path: String) throws {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nil)
        defer { sqlite3_close_v2(handle) }
        guard code == SQLITE_OK else { throw RawFailure(code: code, message: "") }
        guard sqlite3_exec(handle, "PRAGMA user_version = 1", nil, nil, nil) == SQLITE_OK else {
            throw RawFailure(code: SQLITE_ERROR, message: "")
        }
    }
}

extension RawDatabase {
    /// Every row of every table, as text.
    func dump() throws -> [String] {
        try texts("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").flatMap { table in
            let columns = try texts("SELECT name FROM pragma_table_info('\(table)')")
            let row = columns.map { "quote(\($0))" }.joined(separator: " || ' ' || ")
            return try texts("SELECT '\(table) ' || \(row) FROM \(table)")
        }.sorted()
    }
}
