/// The SQL of a table that is the same with every row: made once, as rows are many.
struct TableStatements {
    /// All columns, those of the row's frame included, in the order in which rows are bound and read.
    let columns: String
    let select: String
    let selectOne: String
    /// Adds nothing where a row of that name is.
    let insert: String
    let delete: String
    private let beginOfUpdate: String
    private let assignments: [String]

    private static let all = Table.allCases.map(TableStatements.init)

    static func of(_ table: Table) -> TableStatements { all[table.rawValue] }

    init(_ table: Table) {
        let secret = table.carriesSecret ? ["class_key", "class_key_version", "item_key", "value"] : []
        let names = ["id", "version"] + table.columns.map(\.name) + secret + ["sealed"]
        let marks = names.map { _ in "?" }.joined(separator: ", ")
        columns = names.joined(separator: ", ")
        select = "SELECT \(columns) FROM \(table.name)"
        insert = "INSERT INTO \(table.name) (\(columns)) VALUES (\(marks)) ON CONFLICT (id) DO NOTHING"
        selectOne = "\(select) WHERE id = ?"
        beginOfUpdate = "UPDATE \(table.name) SET "
        assignments = names.dropFirst().map { "\($0) = ?" }
        delete = "DELETE FROM \(table.name) WHERE id = ?"
    }

    /// Of a row of that name and version.
    /// - Parameter changing: the places of the columns to write, among all but the name.
    func update(_ changing: [Int]) -> String {
        var sql = beginOfUpdate
        for place in changing {
            if place != changing.first { sql += ", " }
            sql += assignments[place]
        }
        return sql + " WHERE id = ? AND version = ?"
    }
}
