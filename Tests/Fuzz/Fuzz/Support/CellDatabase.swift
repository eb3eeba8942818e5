@testable import KeyStore

/// A database in memory whose columns have no types: a cell takes whatever it is given, as in a file that somebody wrote.
final class CellDatabase {
    private let connection: Connection
    let transaction: SQLiteTransaction

    init() throws {
        connection = try Connection(path: ":memory:")
        transaction = SQLiteTransaction(connection)
        for table in Table.allCases { try connection.execute("CREATE TABLE \(table.name) (\(TableStatements.of(table).columns))") }
        // Nothing is ever committed.
        try connection.execute("BEGIN")
    }

    func addClassKey(_ key: ClassKeyVersion) throws {
        let record = ClassKeyRow(slot: "slot", name: key.name, version: key.version, wrap: [1])
        try connection.run(
            "INSERT INTO class_key (\(TableStatements.of(.classKey).columns)) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [.text(record.identifier), .integer(1)] + record.values + [.blob([])])
    }

    /// Writes the row as the only one of its table, edits its cells, and reads it.
    func roundTrip(_ row: StoredRow, _ edits: [CellEdit]) throws(KeyStoreError) -> StoredRow? {
        var cells: [Cell] = ([.text(row.identifier), .integer(row.version)] + row.values).map { Cell($0) }
        if row.table.carriesSecret {
            cells += [
                Cell(FieldValue(row.secret?.classKey)), Cell(FieldValue(row.secret?.classKeyVersion)),
                Cell(FieldValue(row.secret?.itemKey)), Cell(FieldValue(row.secret?.value)),
            ]
        }
        cells.append(Cell(.blob(row.sealed)))
        // By the name it is found, which therefore stays.
        for edit in edits { cells[1 + edit.place % (cells.count - 1)] = edit.cell }
        let places = cells.indices.map { "\(Cell.expression(at: $0))" }.joined(separator: ", ")
        let name = row.table.name
        try connection.run("DELETE FROM \(name)", [])
        try connection.run("INSERT INTO \(name) (\(TableStatements.of(row.table).columns)) VALUES (\(places))", cells.flatMap(\.arguments))
        return try transaction.row(row.table, row.identifier)
    }
}

/// What stands in a cell: one of the four forms, text that is not UTF-8, or a number with a fraction.
struct Cell {
    private let kind: Int64
    private let integer: Int64
    private let bytes: [UInt8]

    init(kind: Int, integer: Int64, bytes: [UInt8]) {
        self.kind = Int64(kind)
        self.integer = integer
        self.bytes = bytes
    }

    init(_ value: FieldValue) {
        switch value {
        case .null: self.init(kind: 0, integer: 0, bytes: [])
        case .integer(let integer): self.init(kind: 1, integer: integer, bytes: [])
        case .text(let text): self.init(kind: 2, integer: 0, bytes: Array(text.utf8))
        case .blob(let blob): self.init(kind: 3, integer: 0, bytes: blob)
        }
    }

    var arguments: [FieldValue] { [.integer(kind), .integer(integer), .blob(bytes)] }

    /// The SQL of a cell, by its three arguments.
    static func expression(at place: Int) -> String {
        let (kind, integer, bytes) = (3 * place + 1, 3 * place + 2, 3 * place + 3)
        return """
            CASE ?\(kind) WHEN 0 THEN NULL WHEN 1 THEN ?\(integer) WHEN 2 THEN CAST(?\(bytes) AS TEXT) WHEN 3 THEN ?\(bytes) \
            ELSE CAST(?\(integer) AS REAL) / 3 END
            """
    }
}

/// Another content for a cell.
struct CellEdit {
    let place: Int
    let cell: Cell

    init(_ reader: inout InputReader) {
        place = reader.number(below: 64)
        cell = Cell(kind: reader.number(below: 5), integer: reader.integer(), bytes: reader.bytes())
    }
}
