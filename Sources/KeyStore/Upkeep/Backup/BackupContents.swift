internal import CryptoPrimitives

/// What is in a backup whose bytes were authenticated, row by row.
struct BackupContents {
    let summary: BackupSummary
    let defaults: [UInt8]
    private let reader: BackupReader

    /// - Throws: `.schemaFromTheFuture` and `.refused` for one that another version wrote, with other tables.
    init(_ reader: BackupReader) throws(KeyStoreError) {
        self.reader = reader
        guard try reader.text() == "backup", let role = StoreRole(rawValue: try reader.text()) else {
            throw reader.malformed
        }
        summary = BackupSummary(
            role: role, store: try reader.text(), accessGroup: try reader.text(), created: try reader.integer())
        let schema = try reader.integer()
        let newest = Int64(Migrator().newest)
        guard schema <= newest else {
            throw KeyStoreError(
                .schemaFromTheFuture, reader.path.string, "schema \(schema) is newer than \(newest), the newest known",
                hint: "use the version of Waxwing that wrote it")
        }
        guard schema == newest else {
            throw KeyStoreError(
                .refused, reader.path.string, "schema \(schema) is older than \(newest)",
                hint: "restore it with the version of Waxwing that wrote it, then keyctl migrate")
        }
        guard case .blob(let defaults) = try reader.value() else { throw reader.malformed }
        self.defaults = defaults
    }

    /// Hands over every row with its secret, as they were written, and returns how many of each table.
    func forEachRow(
        _ body: (StoredRow, (under: ClassKeyName, secret: SymmetricKey)?) throws(KeyStoreError) -> Void
    ) throws(KeyStoreError) -> BackupSummary {
        var summary = summary
        var expected = Table.allCases.filter(\.entersBackup)[...]
        var table: Table?
        while true {
            switch try reader.text() {
            case "table":
                guard let next = expected.popFirst(), try reader.text() == next.name,
                    try reader.integer() == Int64(next.columns.count)
                else { throw reader.malformed }
                for column in next.columns where try reader.text() != column.name { throw reader.malformed }
                table = next
            case "row":
                guard let table else { throw reader.malformed }
                var row = StoredRow(table: table, identifier: try reader.text(), version: 1, values: [])
                for _ in table.columns { row.values.append(try reader.value()) }
                let secret = table.carriesSecret ? try self.secret() : nil
                // Read as rows of a database are: what is of no form is no row.
                var fields = FieldReader(row)
                _ = try table.record.init(identifier: row.identifier, fields: &fields)
                guard !table.staysBehind(row) else { throw reader.malformed }
                try body(row, secret)
                summary.rows[table.name, default: 0] += 1
            case "end":
                guard expected.isEmpty, try reader.integer() == Int64(summary.rowCount) else { throw reader.malformed }
                try reader.end()
                return summary
            default: throw reader.malformed
            }
        }
    }

    private func secret() throws(KeyStoreError) -> (under: ClassKeyName, secret: SymmetricKey)? {
        let name = try reader.value()
        switch (name, try reader.secret()) {
        case (.null, nil): return nil
        case (.text(let text), .some(let secret)):
            guard let name = ClassKeyName(rawValue: text), !name.isThisDeviceOnly else { throw reader.malformed }
            return (name, secret)
        default: throw reader.malformed
        }
    }
}
