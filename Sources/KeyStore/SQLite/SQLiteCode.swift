internal import CSQLite
internal import Glibc

/// What a result code of SQLite comes to. Its own message is left out, as it may quote SQL.
enum SQLiteCode {
    /// SQLITE_IOERR_SHMSIZE: what SQLite keeps beside the database cannot be made as large as it must be.
    private static let sharedMemorySize = SQLITE_IOERR | 19 << 8

    private static let noRoom = [ENOSPC, EDQUOT, EFBIG]

    /// The error number of the system behind a result code that was just answered. Of a commit SQLite does not keep it.
    static func systemError(_ database: OpaquePointer) -> Int32 {
        let last = errno
        let kept = sqlite3_system_errno(database)
        return kept == 0 && ([EROFS, EIO] + noRoom).contains(last) ? last : kept
    }

    static func error(_ code: Int32, path: String, systemError: Int32) -> KeyStoreError {
        if code & 0xFF == SQLITE_CANTOPEN || code & 0xFF == SQLITE_READONLY {
            if let error = obstacle(path) { return error }
        }
        let text = sqlite3_errstr(code).map { String(cString: $0) } ?? "an error"
        let kind = kind(code, systemError)
        var reason = "SQLite: \(text) (\(code))"
        if kind == .full {
            reason = "the disk is full, or what this user may write of it is (SQLite \(code))"
        } else if systemError != 0, [SQLITE_CANTOPEN, SQLITE_IOERR].contains(code & 0xFF) {
            reason += ": \(String(cString: strerror(systemError)))"
        } else if code & 0xFF == SQLITE_CANTOPEN {
            reason += ": the database, or what is kept beside it, is not there or cannot be made"
        }
        return KeyStoreError(kind, path, reason)
    }

    private static func kind(_ code: Int32, _ systemError: Int32) -> KeyStoreError.Kind {
        if code == sharedMemorySize { return .full }
        return switch code & 0xFF {
        case SQLITE_BUSY, SQLITE_LOCKED: .busy
        case SQLITE_FULL: .full
        case SQLITE_READONLY: .readOnly
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_MISMATCH, SQLITE_ERROR: .damaged
        case SQLITE_IOERR where noRoom.contains(systemError): .full
        case SQLITE_IOERR where systemError == EROFS: .readOnly
        case SQLITE_IOERR: .inputOutput
        case SQLITE_CONSTRAINT: .conflict
        case SQLITE_PERM, SQLITE_AUTH: .permission
        case SQLITE_CANTOPEN where noRoom.contains(systemError): .full
        case SQLITE_CANTOPEN where systemError == EACCES || systemError == EPERM || systemError == ELOOP: .permission
        case SQLITE_CANTOPEN where systemError == EROFS: .readOnly
        case SQLITE_CANTOPEN where systemError == EIO: .inputOutput
        case SQLITE_TOOBIG: .badInput
        default: .unavailable
        }
    }

    /// What of the place is not for this user to write, in SQLite's stead, which says neither which nor why.
    private static func obstacle(_ path: String) -> KeyStoreError? {
        let directory = path.split(separator: "/").dropLast().reduce(path.hasPrefix("/") ? "" : ".") { "\($0)/\($1)" }
        let places = [
            (directory.isEmpty ? "/" : directory, W_OK | X_OK, "the directory cannot be written, which readers need too"),
            (path, R_OK | W_OK, "it cannot be written, which readers need too"),
        ]
        for (place, rights, reason) in places where faccessat(AT_FDCWD, place, rights, AT_EACCESS) != 0 {
            let code = errno
            guard [EACCES, EPERM, EROFS].contains(code) else { continue }
            return KeyStoreError(
                code == EROFS ? .readOnly : .permission, place, "\(reason): \(String(cString: strerror(code)))")
        }
        return nil
    }
}
