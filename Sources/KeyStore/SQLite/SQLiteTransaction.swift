/// The rows of one transaction, in SQL made from the table's columns.
final class SQLiteTransaction: StorageTransaction {
    private let connection: Connection

    init(_ connection: Connection) { self.connection = connection }

    func row(_ table: Table, _ identifier: String) throws(KeyStoreError) -> StoredRow? {
        var found: StoredRow?
        try connection.rows(TableStatements.of(table).selectOne, [.text(identifier)]) { (row) throws(KeyStoreError) in
            found = try Self.stored(table, row)
        }
        return found
    }

    func rows(_ table: Table, _ matches: [Match], limit: Int?) throws(KeyStoreError) -> [StoredRow] {
        let (condition, arguments) = Self.condition(matches)
        let sql = "\(TableStatements.of(table).select)\(condition) ORDER BY \(Self.order(of: matches)) LIMIT ?"
        var result: [StoredRow] = []
        try connection.rows(sql, arguments + [.integer(Int64(limit ?? -1))]) { (row) throws(KeyStoreError) in
            result.append(try Self.stored(table, row))
        }
        return result
    }

    func count(_ table: Table, _ matches: [Match]) throws(KeyStoreError) -> Int {
        let (condition, arguments) = Self.condition(matches)
        let rows = try connection.rows("SELECT count(*) FROM \(table.name)\(condition)", arguments)
        guard case .integer(let count) = rows.first?.first else { return 0 }
        return Int(count)
    }

    func insert(_ row: StoredRow) throws(KeyStoreError) {
        let added = try connection.run(TableStatements.of(row.table).insert, Self.arguments(of: row))
        guard added == 1 else { throw KeyStoreError(.alreadyExists, row.subject, "it is there already") }
    }

    func update(_ row: StoredRow, from former: StoredRow) throws(KeyStoreError) {
        let values = Self.values(of: row)
        let formerValues = Self.values(of: former)
        // What stays is not written: SQLite would look for the row's parent and write its indexes anew.
        let changing = values.indices.filter { $0 == 0 || values[$0] != formerValues[$0] }
        let changed = try connection.run(
            TableStatements.of(row.table).update(changing),
            changing.map { values[$0] } + [.text(row.identifier), .integer(former.version)])
        guard changed == 1 else { throw KeyStoreError(.notFound, row.subject, "it is not there, or not as it was read") }
    }

    func delete(_ table: Table, _ identifier: String) throws(KeyStoreError) {
        try connection.run(TableStatements.of(table).delete, [.text(identifier)])
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

    private static func arguments(of row: StoredRow) -> [FieldValue] { [.text(row.identifier)] + values(of: row) }

    /// All but the name, in the order of the table's columns.
    private static func values(of row: StoredRow) -> [FieldValue] {
        var values: [FieldValue] = []
        values.reserveCapacity(row.values.count + 6)
        values.append(.integer(row.version))
        values += row.values
        if row.table.carriesSecret {
            values.append(FieldValue(row.secret?.classKey))
            values.append(FieldValue(row.secret?.classKeyVersion))
            values.append(FieldValue(row.secret?.itemKey))
            values.append(FieldValue(row.secret?.value))
        }
        values.append(.blob(row.sealed))
        return values
    }

    private static func stored(_ table: Table, _ row: Statement) throws(KeyStoreError) -> StoredRow {
        let end = 2 + table.columns.count
        guard case .text(let identifier)? = try? row[0], case .integer(let version)? = try? row[1],
            case .blob(let sealed)? = try? row[table.carriesSecret ? end + 4 : end]
        else { throw KeyStoreError(.damaged, "a row of \(table.name)", "name, version or seal is of another form") }
        var stored = StoredRow(table: table, identifier: identifier, version: version, values: [], sealed: sealed)
        stored.values.reserveCapacity(table.columns.count)
        func value(_ index: Int) throws(KeyStoreError) -> FieldValue {
            do { return try row[index] } catch { throw KeyStoreError(error.kind, stored.subject, error.reason) }
        }
        for index in 2..<end { stored.values.append(try value(index)) }
        guard table.carriesSecret else { return stored }
        switch (try value(end), try value(end + 1), try value(end + 2), try value(end + 3)) {
        case (.null, .null, .null, .null): break
        case (.text(let name), .integer(let version), .blob(let itemKey), .blob(let value)):
            stored.secret = WrappedSecret(classKey: name, classKeyVersion: version, itemKey: itemKey, value: value)
        default: throw KeyStoreError(.damaged, stored.subject, "its secret is there in part")
        }
        return stored
    }
}
