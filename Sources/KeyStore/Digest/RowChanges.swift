/// The rows that a transaction changed: each with the seal it had before and the seal it has now.
struct RowChanges {
    struct Name: Hashable {
        let table: Table
        let identifier: String

        var subject: String { "row \(table.name)/\(identifier)" }
    }

    struct Change {
        /// Nil for a row that was not there.
        let before: [UInt8]?
        /// Nil for a row that is gone.
        var after: [UInt8]?
    }

    private(set) var all: [Name: Change] = [:]

    var isEmpty: Bool { all.isEmpty }

    /// Of several changes of a row the first tells what it was, and the last what it is.
    mutating func note(_ row: StoredRow, before: [UInt8]?, after: [UInt8]?) {
        let name = Name(table: row.table, identifier: row.identifier)
        all[name, default: Change(before: before, after: nil)].after = after
    }
}
