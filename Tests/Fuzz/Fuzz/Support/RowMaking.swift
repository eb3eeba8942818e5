import EnvelopeFormat

@testable import KeyStore

/// Rows out of an input, and edits of rows.
enum RowMaking {
    static func row(_ reader: inout InputReader) -> StoredRow {
        let table = Table.allCases[reader.number(below: Table.allCases.count)]
        let identifier = text(&reader)
        let version = reader.integer()
        return StoredRow(table: table, identifier: identifier, version: version, values: table.columns.map { _ in value(&reader) })
    }

    static func value(_ reader: inout InputReader) -> FieldValue {
        switch reader.number(below: 4) {
        case 0: .null
        case 1: .integer(reader.integer())
        case 2: .text(text(&reader))
        default: .blob(reader.bytes())
        }
    }

    static func text(_ reader: inout InputReader) -> String { String(decoding: reader.bytes(), as: UTF8.self) }

    /// One edit, as somebody with the file and without the keys can make it.
    static func edit(_ row: inout StoredRow, _ reader: inout InputReader) {
        switch reader.number(below: 12) {
        case 0, 1: row.values[reader.number(below: row.values.count)] = value(&reader)
        case 2: row.values.swapAt(reader.number(below: row.values.count), reader.number(below: row.values.count))
        case 3:
            row = StoredRow(
                table: row.table, identifier: text(&reader), version: row.version, values: row.values, secret: row.secret,
                sealed: row.sealed)
        case 4: row.version = reader.integer()
        case 5: flip(&row.sealed, &reader)
        case 6: row.sealed = reader.bytes()
        case 7: if row.secret != nil { flip(&row.secret!.itemKey, &reader) }
        case 8: if row.secret != nil { flip(&row.secret!.value, &reader) }
        case 9: row.secret?.classKey = text(&reader)
        case 10: row.secret?.classKeyVersion = reader.integer()
        default: move(&row, Table.allCases[reader.number(below: Table.allCases.count)])
        }
    }

    private static func flip(_ bytes: inout [UInt8], _ reader: inout InputReader) {
        guard !bytes.isEmpty else { return }
        bytes[reader.number(below: bytes.count)] ^= 1 << (reader.byte() % 8)
    }

    /// Into another table, with as many values as that has.
    private static func move(_ row: inout StoredRow, _ table: Table) {
        let count = table.columns.count
        let values = Array((row.values + [FieldValue](repeating: .null, count: count)).prefix(count))
        row = StoredRow(
            table: table, identifier: row.identifier, version: row.version, values: values, secret: table.carriesSecret ? row.secret : nil,
            sealed: row.sealed)
    }
}
