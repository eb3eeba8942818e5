/// A row as the life cycle knows it: typed, and only ever made from a row whose seal was checked.
protocol Record: Sendable {
    static var table: Table { get }
    /// The row's name, unique in its table.
    var identifier: String { get }
    /// In the order of the table's columns.
    var values: [FieldValue] { get }

    init(identifier: String, fields: inout FieldReader) throws(KeyStoreError)
}
