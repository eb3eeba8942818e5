/// The SQL of a table that is the same with every row: made once, as rows are many.
struct TableStatements {
    /// All columns, those of the row's frame included, in the order in which rows are bound and read.
    let columns: String
    let select: String
    /// Adds nothing where a row of that name is.
    let insert: String
    let update: String
    let delete: String

    static let of: [Table: TableStatements] = Dictionary(
        uniqueKeysWithValues: Table.allCases.map { ($0, TableStatements($0)) })

    init(_ table: Table) {
        let secret = table.carriesSecret ? ["class_key", "class_key_version", "item_key", "value"] : []
        let names = ["id", "version"] + table.columns.map(\.name) + secret + ["sealed"]
        let marks = names.map { _ in "?" }.joined(separator: ", ")
        let assignments = names.dropFirst().map { "\($0) = ?" }.joined(separator: ", ")
        columns = names.joined(separator: ", ")
        select = "SELECT \(columns) FROM \(table.rawValue)"
        insert = "INSERT INTO \(table.rawValue) (\(columns)) VALUES (\(marks)) ON CONFLICT (id) DO NOTHING"
        update = "UPDATE \(table.rawValue) SET \(assignments) WHERE id = ?"
        delete = "DELETE FROM \(table.rawValue) WHERE id = ?"
    }
}

extension Table {
    var statements: TableStatements { TableStatements.of[self] ?? TableStatements(self) }
}
