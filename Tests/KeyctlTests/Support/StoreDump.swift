import CSQLite
import Foundation

/// Everything in a folder that a command could change: names, modes and bytes of files, and every row of every
/// database.
enum StoreDump {
    static func of(_ folder: URL) throws -> [String] {
        var lines: [String] = []
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted()
        for name in names where !name.hasSuffix("-wal") && !name.hasSuffix("-shm") {
            let url = folder.appendingPathComponent(name)
            var status = stat()
            guard lstat(url.path, &status) == 0 else { continue }
            lines.append("\(name) mode \(String(status.st_mode, radix: 8)) uid \(status.st_uid)")
            guard status.st_mode & S_IFMT == S_IFREG else { continue }
            let bytes = try Data(contentsOf: url)
            lines +=
                bytes.starts(with: Data("SQLite format 3\0".utf8))
                ? rows(of: url.path, name) : ["\(name) \(bytes.base64EncodedString())"]
        }
        return lines
    }

    /// Leaves the audit log and the digest over it out, and returns how many entries it has.
    static func removeAuditLog(_ lines: inout [String]) -> Int {
        let count = lines.count { $0.contains("store.sqlite audit_entry ") }
        let moving = ["audit_entry ", "audit_log ", "digest audit_entry/", "digest audit_log/", "digest root|"]
        lines.removeAll { line in moving.contains { line.contains("store.sqlite \($0)") } }
        return count
    }

    private static func rows(of path: String, _ name: String) -> [String] {
        var handle: OpaquePointer?
        defer { sqlite3_close(handle) }
        guard sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
            return ["\(name) unreadable"]
        }
        let tables = query(handle, "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
        return tables.flatMap { table in
            query(handle, "SELECT * FROM \"\(table)\"").sorted().map { "\(name) \(table) \($0)" }
        }
    }

    private static func query(_ handle: OpaquePointer?, _ text: String) -> [String] {
        var statement: OpaquePointer?
        defer { sqlite3_finalize(statement) }
        guard sqlite3_prepare_v2(handle, text, -1, &statement, nil) == SQLITE_OK else {
            return ["error \(String(cString: sqlite3_errmsg(handle)))"]
        }
        var rows: [String] = []
        while sqlite3_step(statement) == SQLITE_ROW {
            rows.append((0..<sqlite3_column_count(statement)).map { cell(statement, $0) }.joined(separator: "|"))
        }
        return rows
    }

    private static func cell(_ statement: OpaquePointer?, _ column: Int32) -> String {
        guard sqlite3_column_type(statement, column) == SQLITE_BLOB else {
            return sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "null"
        }
        let count = Int(sqlite3_column_bytes(statement, column))
        guard let bytes = sqlite3_column_blob(statement, column) else { return "empty" }
        return Data(bytes: bytes, count: count).base64EncodedString()
    }
}
