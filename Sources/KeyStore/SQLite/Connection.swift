internal import CSQLite
internal import Glibc

/// A connection to one database, with its prepared statements. Used by one thread at a time.
final class Connection {
    let path: String
    private let handle: OpaquePointer
    private let waiting: Waiting
    private var statements: [String: Statement] = [:]
    /// Whether a statement was refused for what it names: a table or column that is not there.
    private(set) var hasMissedSomething = false

    /// Of SQLite as it was loaded: "3.40.1".
    static var libraryVersion: String { sqlite3_libversion().map { String(cString: $0) } ?? "" }

    /// How the file is opened.
    enum Mode {
        case readWrite, readOnly
        /// Read without what is kept beside it, for what cannot be opened otherwise: what was written last may be missing.
        case alone
    }

    /// Opens an existing file; none is ever made here.
    init(
        path: String, patience: Duration = Patience.standard, mode: Mode = .readWrite
    ) throws(KeyStoreError) {
        var handle: OpaquePointer?
        let flags =
            (mode == .readWrite ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY) | SQLITE_OPEN_NOMUTEX
            | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_EXRESCODE | (mode == .alone ? SQLITE_OPEN_URI : 0)
        let name = mode == .alone ? Self.address(path) + "?immutable=1" : path
        let code = sqlite3_open_v2(name, &handle, flags, nil)
        guard code == SQLITE_OK, let handle else {
            let error = SQLiteCode.error(code, path: path, systemError: handle.map { sqlite3_system_errno($0) } ?? 0)
            _ = sqlite3_close_v2(handle)
            throw error
        }
        self.path = path
        self.handle = handle
        waiting = Waiting(patience)
        try check(waxwing_sqlite3_harden(handle))
        let patient = sqlite3_busy_handler(
            handle,
            { waiting, count in
                guard let waiting else { return 0 }
                return Unmanaged<Waiting>.fromOpaque(waiting).takeUnretainedValue().patience.wait(count) ? 1 : 0
            }, Unmanaged.passUnretained(waiting).toOpaque())
        try check(patient)
        try execute("PRAGMA synchronous = FULL")
        try execute("PRAGMA foreign_keys = ON")
        try execute("PRAGMA secure_delete = ON")
        try execute("PRAGMA temp_store = MEMORY")
        // In KiB: all that a batch of a long job changes, or it would be written more than once.
        try execute("PRAGMA cache_size = -16384")
        try execute("PRAGMA cell_size_check = ON")
    }

    /// The path as a `file:` URI.
    private static func address(_ path: String) -> String {
        let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/-_.~".utf8)
        return path.utf8.reduce(into: "file:") { address, byte in
            let digits = String(byte, radix: 16)
            address += plain.contains(byte) ? String(UnicodeScalar(byte)) : "%\(digits.utf8.count < 2 ? "0" : "")\(digits)"
        }
    }

    deinit {
        statements.removeAll()
        _ = sqlite3_close_v2(handle)
    }

    /// Runs SQL that gives no rows and takes no arguments; several statements are allowed.
    func execute(_ sql: String) throws(KeyStoreError) {
        try check(sqlite3_exec(handle, sql, nil, nil, nil))
    }

    /// Runs one statement and returns its rows.
    func rows(_ sql: String, _ arguments: [FieldValue]) throws(KeyStoreError) -> [[FieldValue]] {
        var rows: [[FieldValue]] = []
        try prepared(sql).run(arguments) { (statement) throws(KeyStoreError) in rows.append(try statement.row) }
        return rows
    }

    /// Runs one statement.
    /// - Parameter body: called at each of its rows.
    func rows(
        _ sql: String, _ arguments: [FieldValue], _ body: (Statement) throws(KeyStoreError) -> Void
    ) throws(KeyStoreError) { try prepared(sql).run(arguments, body) }

    /// Runs one statement and returns the number of rows it changed.
    @discardableResult
    func run(_ sql: String, _ arguments: [FieldValue]) throws(KeyStoreError) -> Int {
        try prepared(sql).run(arguments) { _ in }
        return Int(sqlite3_changes(handle))
    }

    /// Runs the body as the only writer; commits when it returns, rolls back when it throws.
    func transaction<Result>(
        _ begin: String = "BEGIN IMMEDIATE", _ body: () throws(KeyStoreError) -> Result
    ) throws(KeyStoreError) -> Result {
        waiting.begin()
        defer { waiting.begin() }
        try run(begin, [])
        do {
            let result = try body()
            try run("COMMIT", [])
            return result
        } catch {
            if sqlite3_get_autocommit(handle) == 0 { try run("ROLLBACK", []) }
            throw error
        }
    }

    /// Moves the write-ahead log into the database and cuts it to nothing; false when a reader or writer forbids it.
    func truncateLog() throws(KeyStoreError) -> Bool {
        waiting.begin(.milliseconds(50))
        defer { waiting.begin() }
        let rows = try rows("PRAGMA wal_checkpoint(TRUNCATE)", [])
        return rows.first?.first == .integer(0)
    }

    /// What each statement has cost so far.
    var work: [String: (steps: Int, scanned: Int)] { statements.mapValues(\.work) }

    /// What SQLite asks whether it should wait. Used by one thread at a time, as the connection.
    private final class Waiting {
        private let standard: Duration
        private(set) var patience: Patience

        init(_ patience: Duration) {
            standard = patience
            self.patience = Patience(patience)
        }

        func begin() { patience = .forTransaction(standard) }
        func begin(_ patience: Duration) { self.patience = Patience(patience) }
    }

    private func prepared(_ sql: String) throws(KeyStoreError) -> Statement {
        if let statement = statements[sql] { return statement }
        let (path, handle) = (path, handle)
        do {
            let statement = try Statement(sql, on: handle) { code in
                SQLiteCode.error(code, path: path, systemError: SQLiteCode.systemError(handle))
            }
            statements[sql] = statement
            return statement
        } catch {
            hasMissedSomething = sqlite3_errcode(handle) == SQLITE_ERROR
            throw error
        }
    }

    private func check(_ code: Int32) throws(KeyStoreError) {
        guard code == SQLITE_OK else {
            throw SQLiteCode.error(code, path: path, systemError: SQLiteCode.systemError(handle))
        }
    }
}
