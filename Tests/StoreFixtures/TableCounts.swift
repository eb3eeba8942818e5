import CSQLite

/// How many rows there are in the tables of a database, without the store's own code: in all of them, whatever they are for.
public enum TableCounts {
    /// All at one moment; what is SQLite's own is left out.
    public static func of(_ path: String) throws -> [String: Int] {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil)
        defer { sqlite3_close_v2(handle) }
        guard code == SQLITE_OK, let handle else { throw FixtureFailure(what: path, code: code) }
        sqlite3_busy_timeout(handle, 5_000)
        let tables = try rows(
            handle, "SELECT name, 0 FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'")
        let parts = tables.keys.map { "SELECT '\($0)', count(*) FROM \"\($0)\"" }
        return try rows(handle, parts.joined(separator: " UNION ALL "))
    }

    private static func rows(_ handle: OpaquePointer, _ sql: String) throws -> [String: Int] {
        var statement: OpaquePointer?
        var code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        defer { sqlite3_finalize(statement) }
        guard code == SQLITE_OK else { throw FixtureFailure(what: String(cString: sqlite3_errmsg(handle)), code: code) }
        var counts: [String: Int] = [:]
        while true {
            code = sqlite3_step(statement)
            guard code == SQLITE_ROW else { break }
            guard let name = sqlite3_column_text(statement, 0) else { continue }
            counts[String(cString: name)] = Int(sqlite3_column_int64(statement, 1))
        }
        guard code == SQLITE_DONE else { throw FixtureFailure(what: String(cString: sqlite3_errmsg(handle)), code: code) }
        return counts
    }
}
