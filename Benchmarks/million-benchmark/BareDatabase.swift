import BenchmarkSupport
import CSQLite

/// A database as SQLite alone has it: C calls, prepared statements, the settings of a key store.
final class BareDatabase {
    private var handle: OpaquePointer?

    init(_ path: String) {
        guard sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil) == SQLITE_OK else {
            fatal("\(path) does not open")
        }
        for setting in ["journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "secure_delete = ON", "cache_size = -16384"] {
            execute("PRAGMA \(setting)")
        }
    }

    deinit { sqlite3_close_v2(handle) }

    func execute(_ sql: String) {
        guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { fatal("\(sql): \(message)") }
    }

    func prepare(_ sql: String) -> OpaquePointer? {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { fatal("\(sql): \(message)") }
        return statement
    }

    /// The first column of every row.
    func texts(_ sql: String) -> [String] {
        let statement = prepare(sql)
        defer { sqlite3_finalize(statement) }
        var texts: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            if let text = sqlite3_column_text(statement, 0) { texts.append(String(cString: text)) }
        }
        return texts
    }

    func number(_ sql: String) -> Int { Int(texts(sql).first ?? "") ?? 0 }

    /// Runs a statement once, its arguments bound before.
    func step(_ statement: OpaquePointer?) {
        guard sqlite3_step(statement) == SQLITE_DONE, sqlite3_reset(statement) == SQLITE_OK else { fatal(message) }
    }

    private var message: String { String(cString: sqlite3_errmsg(handle)) }
}
