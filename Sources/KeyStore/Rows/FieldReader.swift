internal import EnvelopeFormat

/// Reads the values of a row one after another; a value of another form than asked for is damage.
struct FieldReader {
    private let row: StoredRow
    private var position = 0

    init(_ row: StoredRow) { self.row = row }

    var damaged: KeyStoreError {
        KeyStoreError(.damaged, row.subject, "column \(max(0, position - 1)) has no such form")
    }

    mutating func integer() throws(KeyStoreError) -> Int64 {
        guard case .integer(let value) = next() else { throw damaged }
        return value
    }

    mutating func optionalInteger() throws(KeyStoreError) -> Int64? {
        switch next() {
        case .null: return nil
        case .integer(let value): return value
        default: throw damaged
        }
    }

    mutating func text() throws(KeyStoreError) -> String {
        guard case .text(let value) = next() else { throw damaged }
        return value
    }

    mutating func optionalText() throws(KeyStoreError) -> String? {
        switch next() {
        case .null: return nil
        case .text(let value): return value
        default: throw damaged
        }
    }

    mutating func blob() throws(KeyStoreError) -> [UInt8] {
        guard case .blob(let value) = next() else { throw damaged }
        return value
    }

    mutating func optionalBlob() throws(KeyStoreError) -> [UInt8]? {
        switch next() {
        case .null: return nil
        case .blob(let value): return value
        default: throw damaged
        }
    }

    mutating func bool() throws(KeyStoreError) -> Bool {
        switch try integer() {
        case 0: return false
        case 1: return true
        default: throw damaged
        }
    }

    /// A word of a closed set.
    mutating func word<Word: RawRepresentable>(_: Word.Type = Word.self) throws(KeyStoreError) -> Word
    where Word.RawValue == String {
        guard let word = Word(exactly: try text()) else { throw damaged }
        return word
    }

    /// What a text says, read by the given initializer.
    mutating func parsed<Value>(_ parse: (String) -> Value?) throws(KeyStoreError) -> Value {
        guard let value = parse(try text()) else { throw damaged }
        return value
    }

    private mutating func next() -> FieldValue {
        defer { position += 1 }
        return position < row.values.count ? row.values[position] : .null
    }
}
