import CSQLite

/// Every row of a database as a line of text, without the store's own code.
public enum DatabaseRows {
    /// - Returns: `TABLE VALUE …`, sorted; without the audit log, which tells of refusals too, and the digest over it.
    public static func of(_ path: String) throws -> [String] {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil)
        defer { sqlite3_close_v2(handle) }
        guard code == SQLITE_OK, let handle else { throw FixtureFailure(what: path, code: code) }
        sqlite3_busy_timeout(handle, 5_000)
        return try texts(handle, "SELECT name FROM sqlite_schema WHERE type = 'table'").flatMap { table -> [String] in
            if table.hasPrefix("audit_") || table == "digest" { return [] }
            let columns = try texts(handle, "SELECT name FROM pragma_table_info('\(table)')")
            let row = columns.map { "quote(\"\($0)\")" }.joined(separator: " || ' ' || ")
            return try texts(handle, "SELECT '\(table) ' || \(row) FROM \"\(table)\"")
        }.sorted()
    }

    private static func texts(_ handle: OpaquePointer, _ sql: String) throws -> [String] {
        var statement: OpaquePointer?
        let code = sqlite3_prepare_v2(handle, sql, -1, &statement, nil)
        defer { sqlite3_finalize(statement) }
        guard code == SQLITE_OK else { throw FixtureFailure(what: String(cString: sqlite3_errmsg(handle)), code: code) }
        var texts: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            if let text = sqlite3_column_text(statement, 0) { texts.append(String(cString: text)) }
        }
        return texts
    }
}
