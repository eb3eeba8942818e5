internal import CSQLite
internal import Glibc

/// A prepared statement, kept by its connection.
final class Statement {
    private let handle: OpaquePointer
    private let failure: (Int32) -> KeyStoreError

    /// - Parameter failure: makes the error of a result code.
    init(_ sql: String, on database: OpaquePointer, failure: @escaping (Int32) -> KeyStoreError) throws(KeyStoreError) {
        var handle: OpaquePointer?
        let code = sqlite3_prepare_v3(database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard code == SQLITE_OK, let handle else { throw failure(code == SQLITE_OK ? SQLITE_MISUSE : code) }
        self.handle = handle
        self.failure = failure
    }

    deinit { sqlite3_finalize(handle) }

    /// Runs the statement to its end.
    /// - Parameter body: called at each row, whose columns it reads.
    func run(
        _ arguments: [FieldValue], _ body: (Statement) throws(KeyStoreError) -> Void
    ) throws(KeyStoreError) {
        defer {
            // The code repeats that of the last step, which was looked at.
            _ = sqlite3_reset(handle)
            _ = sqlite3_clear_bindings(handle)
        }
        for (index, argument) in arguments.enumerated() { try bind(argument, at: Int32(index + 1)) }
        while true {
            // So that it is of this step, when the failure asks for it.
            errno = 0
            let code = sqlite3_step(handle)
            switch code {
            case SQLITE_ROW: try body(self)
            case SQLITE_DONE: return
            default: throw failure(code)
            }
        }
    }

    /// The columns of the row it is at.
    /// - Throws: as ``subscript(_:)``.
    var row: [FieldValue] {
        get throws(KeyStoreError) {
            var row: [FieldValue] = []
            for index in 0..<Int(sqlite3_column_count(handle)) { row.append(try self[index]) }
            return row
        }
    }

    /// Since it was prepared: the steps of SQLite's machine, and of them those through a table read from end to end.
    var work: (steps: Int, scanned: Int) {
        (
            Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_VM_STEP, 0)),
            Int(sqlite3_stmt_status(handle, SQLITE_STMTSTATUS_FULLSCAN_STEP, 0))
        )
    }

    private func bind(_ value: FieldValue, at index: Int32) throws(KeyStoreError) {
        let code: Int32
        switch value {
        case .null: code = sqlite3_bind_null(handle, index)
        case .integer(let integer): code = sqlite3_bind_int64(handle, index, integer)
        case .text(let text):
            var text = text
            code = text.withUTF8 { utf8 in
                utf8.withMemoryRebound(to: CChar.self) {
                    waxwing_sqlite3_bind_text(handle, index, $0.baseAddress, Int32($0.count))
                }
            }
        case .blob(let bytes) where bytes.isEmpty: code = sqlite3_bind_zeroblob(handle, index, 0)
        case .blob(let bytes):
            code = bytes.withUnsafeBytes {
                waxwing_sqlite3_bind_blob(handle, index, $0.baseAddress, Int32($0.count))
            }
        }
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// A column of the row it is at.
    /// - Throws: `.damaged` for a value that nobody here writes: a number with a fraction, or a text that is not UTF-8. Taken for
    ///   another, it would stand under that one's seal.
    subscript(index: Int) -> FieldValue {
        get throws(KeyStoreError) {
            let index = Int32(index)
            switch sqlite3_column_type(handle, index) {
            case SQLITE_NULL: return .null
            case SQLITE_INTEGER: return .integer(sqlite3_column_int64(handle, index))
            case SQLITE_TEXT:
                guard let start = sqlite3_column_text(handle, index) else { throw failure(SQLITE_NOMEM) }
                let bytes = UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, index)))
                guard let text = String(validating: bytes, as: UTF8.self) else { break }
                return .text(text)
            case SQLITE_BLOB:
                guard let bytes = sqlite3_column_blob(handle, index) else { return .blob([]) }
                let count = Int(sqlite3_column_bytes(handle, index))
                return .blob(Array(UnsafeRawBufferPointer(start: bytes, count: count)))
            default: break
            }
            throw KeyStoreError(.damaged, "a row of the database", "a value is of no form that is written")
        }
    }
}
