/// A record together with the row it was read from.
struct Held<R: Record>: Sendable {
    var record: R
    var row: StoredRow

    init(_ row: StoredRow) throws(KeyStoreError) {
        var reader = FieldReader(row)
        record = try R(identifier: row.identifier, fields: &reader)
        self.row = row
    }

    /// A record that the row was made of.
    init(record: R, row: StoredRow) {
        self.record = record
        self.row = row
    }

    /// Whether the row holds a secret, readable now or not.
    var hasSecret: Bool { row.secret != nil }
}
