import CSQLite

/// The database of a fixture, without the store's own code.
final class FixtureDatabase {
    /// One value, and how the at-rest format encodes it.
    enum Cell {
        case null
        case integer(Int64)
        case text(String)
        case blob([UInt8])

        /// Every part with its form (1 text, 2 bytes, 3 integer, 4 nothing) and its length before it.
        static func encode(_ parts: [Cell?]) -> [UInt8] {
            parts.flatMap { part -> [UInt8] in
                let (form, content): (UInt8, [UInt8]) =
                    switch part ?? .null {
                    case .null: (4, [])
                    case .integer(let integer): (3, withUnsafeBytes(of: integer.bigEndian) { Array($0) })
                    case .text(let text): (1, Array(text.utf8))
                    case .blob(let bytes): (2, bytes)
                    }
                return [form] + withUnsafeBytes(of: UInt32(content.count).bigEndian) { Array($0) } + content
            }
        }
    }

    private let handle: OpaquePointer

    init(_ path: String) throws {
        var handle: OpaquePointer?
        let code = sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil)
        guard code == SQLITE_OK, let handle else { throw FixtureFailure(what: path, code: code) }
        self.handle = handle
    }

    deinit { sqlite3_close_v2(handle) }

    func run(_ sql: String) throws {
        let code = sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw FixtureFailure(what: String(cString: sqlite3_errmsg(handle)), code: code) }
    }

    /// The first row, by the names of its columns.
    func row(_ sql: String) throws -> [String: Cell] {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK, sqlite3_step(statement) == SQLITE_ROW
        else { throw FixtureFailure(what: sql, code: sqlite3_errcode(handle)) }
        var row: [String: Cell] = [:]
        for column in 0..<sqlite3_column_count(statement) {
            guard let name = sqlite3_column_name(statement, column) else { continue }
            row[String(cString: name)] = Self.cell(statement, column)
        }
        return row
    }

    private static func cell(_ statement: OpaquePointer?, _ column: Int32) -> Cell {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_TEXT: return sqlite3_column_text(statement, column).map { .text(String(cString: $0)) } ?? .null
        case SQLITE_BLOB:
            let count = Int(sqlite3_column_bytes(statement, column))
            guard let bytes = sqlite3_column_blob(statement, column) else { return .blob([]) }
            return .blob(Array(UnsafeRawBufferPointer(start: bytes, count: count)))
        default: return .null
        }
    }
}
