internal import CSQLite
internal import Glibc

/// What a result code of SQLite comes to. Its own message is left out, as it may quote SQL.
enum SQLiteCode {
    static func error(_ code: Int32, path: String, systemError: Int32) -> KeyStoreError {
        let reason = sqlite3_errstr(code).map { String(cString: $0) } ?? "code \(code)"
        return KeyStoreError(kind(code, systemError), path, "SQLite: \(reason) (\(code))")
    }

    private static func kind(_ code: Int32, _ systemError: Int32) -> KeyStoreError.Kind {
        switch code & 0xFF {
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case SQLITE_FULL: .full
        case SQLITE_READONLY: .readOnly
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_MISMATCH, SQLITE_ERROR: .damaged
        case SQLITE_IOERR where systemError == ENOSPC || systemError == EDQUOT: .full
        case SQLITE_IOERR: .inputOutput
        case SQLITE_CONSTRAINT: .conflict
        case SQLITE_PERM, SQLITE_AUTH: .permission
        case SQLITE_CANTOPEN where systemError == EACCES || systemError == EPERM || systemError == ELOOP: .permission
        case SQLITE_CANTOPEN where systemError == EROFS: .readOnly
        case SQLITE_TOOBIG: .badInput
        default: .unavailable
        }
    }
}
