/// A row as an engine keeps it. Nothing in it is believed before its seal is checked.
struct StoredRow: Equatable, Sendable {
    let table: Table
    let identifier: String
    /// Counts the writes of this row, from 1.
    var version: Int64
    /// In the order of the table's columns.
    var values: [FieldValue]
    var secret: WrappedSecret?
    /// The row's seal: nonce and tag over everything else in it.
    var sealed: [UInt8] = []

    /// The name by which errors tell of it.
    var subject: String { "row \(table.name)/\(identifier)" }
}
