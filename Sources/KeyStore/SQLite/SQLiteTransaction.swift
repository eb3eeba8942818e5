/// The rows of one transaction, in SQL made from the table's columns.
final class SQLiteTransaction: StorageTransaction {
    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    func row(_ table: Table, _ identifier: String) throws(KeyStoreError) -> StoredRow? {
        let sql = table.statements.select + " WHERE id = ?"
        guard let row = try connection.rows(sql, [.text(identifier)]).first else { return nil }
        return try stored(table, row)
    }

    func rows(_ table: Table, _ matches: [Match], limit: Int?) throws(KeyStoreError) -> [StoredRow] {
        let (condition, arguments) = Self.condition(matches)
        let sql = "\(table.statements.select)\(condition) ORDER BY \(Self.order(of: matches)) LIMIT ?"
        var result: [StoredRow] = []
        for row in try connection.rows(sql, arguments + [.integer(Int64(limit ?? -1))]) {
            result.append(try stored(table, row))
        }
        return result
    }

    func count(_ table: Table, _ matches: [Match]) throws(KeyStoreError) -> Int {
        let (condition, arguments) = Self.condition(matches)
        let rows = try connection.rows("SELECT count(*) FROM \(table.rawValue)\(condition)", arguments)
        guard case .integer(let count) = rows.first?.first else { return 0 }
        return Int(count)
    }

    func insert(_ row: StoredRow) throws(KeyStoreError) {
        let added = try connection.run(row.table.statements.insert, Self.arguments(of: row))
        guard added == 1 else { throw KeyStoreError(.alreadyExists, row.subject, "it is there already") }
    }

    func update(_ row: StoredRow) throws(KeyStoreError) {
        let changed = try connection.run(
            row.table.statements.update, Self.arguments(of: row).dropFirst() + [.text(row.identifier)])
        guard changed == 1 else { throw KeyStoreError(.notFound, row.subject, "it is not there") }
    }

    func delete(_ table: Table, _ identifier: String) throws(KeyStoreError) {
        try connection.run(table.statements.delete, [.text(identifier)])
    }

    func generation() throws(KeyStoreError) -> Int64 { try housekeeping("generation") }

    func setGeneration(_ generation: Int64) throws(KeyStoreError) {
        try connection.run("UPDATE housekeeping SET generation = ?", [.integer(generation)])
    }

    func erasurePending() throws(KeyStoreError) -> Int64 { try housekeeping("erasure_pending") }

    func setErasurePending(_ generation: Int64) throws(KeyStoreError) {
        try connection.run("UPDATE housekeeping SET erasure_pending = ?", [.integer(generation)])
    }

    func nested<Result>(_ body: () throws(KeyStoreError) -> Result) throws(KeyStoreError) -> Result {
        try connection.run("SAVEPOINT nested", [])
        do {
            let result = try body()
            try connection.run("RELEASE nested", [])
            return result
        } catch {
            try connection.run("ROLLBACK TO nested", [])
            try connection.run("RELEASE nested", [])
            throw error
        }
    }

    func checkStructure() throws(KeyStoreError) { try SQLiteStructure.check(connection) }

    func schemaVersion() throws(KeyStoreError) -> Int { try Migrator().applied(in: connection) }

    private func housekeeping(_ column: String) throws(KeyStoreError) -> Int64 {
        guard case .integer(let value) = try connection.rows("SELECT \(column) FROM housekeeping", []).first?.first
        else {
            throw KeyStoreError(.damaged, "row housekeeping/1", "it is not there")
        }
        return value
    }

    private static func condition(_ matches: [Match]) -> (String, [FieldValue]) {
        guard !matches.isEmpty else { return ("", []) }
        var arguments: [FieldValue] = []
        let terms = matches.map { match in
            switch match {
            case .equal(let column, let value):
                arguments.append(value)
                return "\(column) = ?"
            case .atMost(let column, let value):
                arguments.append(.integer(value))
                return "\(column) <= ?"
            case .after(let identifier):
                arguments.append(.text(identifier))
                return "id > ?"
            case .before(let identifier):
                arguments.append(.text(identifier))
                return "id < ?"
            }
        }
        return (" WHERE " + terms.joined(separator: " AND "), arguments)
    }

    /// By the bounded column first: an order by name alone would have the whole table read for its first few rows.
    private static func order(of matches: [Match]) -> String {
        for match in matches {
            switch match {
            case .atMost(let column, _): return "\(column), id"
            case .before: return "id DESC"
            case .equal, .after: continue
            }
        }
        return "id"
    }

    private static func arguments(of row: StoredRow) -> [FieldValue] {
        var arguments: [FieldValue] = [.text(row.identifier), .integer(row.version)] + row.values
        if row.table.carriesSecret {
            arguments += [
                FieldValue(row.secret?.classKey), FieldValue(row.secret?.classKeyVersion),
                FieldValue(row.secret?.itemKey), FieldValue(row.secret?.value),
            ]
        }
        return arguments + [.blob(row.sealed)]
    }

    private func stored(_ table: Table, _ row: [FieldValue]) throws(KeyStoreError) -> StoredRow {
        guard case .text(let identifier) = row.first, case .integer(let version) = row[1],
            case .blob(let sealed) = row.last
        else { throw KeyStoreError(.damaged, "a row of \(table.rawValue)", "name, version or seal is of another form") }
        let count = table.columns.count
        var stored = StoredRow(
            table: table, identifier: identifier, version: version, values: Array(row[2..<(2 + count)]), sealed: sealed)
        guard table.carriesSecret else { return stored }
        switch (row[2 + count], row[3 + count], row[4 + count], row[5 + count]) {
        case (.null, .null, .null, .null): break
        case (.text(let name), .integer(let version), .blob(let itemKey), .blob(let value)):
            stored.secret = WrappedSecret(classKey: name, classKeyVersion: version, itemKey: itemKey, value: value)
        default: throw KeyStoreError(.damaged, stored.subject, "its secret is there in part")
        }
        return stored
    }
}
