import Testing

@testable import KeyStore

/// Values of a row are believed in the form that was asked for, and in no other.
@Suite struct FieldReaderTests {
    private enum Word: String { case yes, no }

    private static let values: [FieldValue] = [.null, .integer(2), .text("x"), .blob([1])]

    private func reader(_ values: [FieldValue]) -> FieldReader {
        FieldReader(StoredRow(table: .serviceKey, identifier: "r", version: 1, values: values))
    }

    private func damage(_ column: Int) -> KeyStoreError {
        KeyStoreError(.damaged, "row service_key/r", "column \(column) has no such form")
    }

    /// Of the four values: how each reads, and that the others are damage in the column where they stand.
    private func expect<Value: Equatable>(
        _ readable: [Int: Value], _ read: (inout FieldReader) throws(KeyStoreError) -> Value
    ) {
        for (index, value) in Self.values.enumerated() {
            var reader = reader([.null, .null, value])
            do throws(KeyStoreError) {
                _ = try reader.optionalInteger()
                _ = try reader.optionalBlob()
                let found = try read(&reader)
                #expect(readable[index] == found, "\(index)")
            } catch {
                #expect(readable[index] == nil && error == damage(2), "\(index)")
            }
        }
    }

    @Test func everyForm() {
        expect([1: 2]) { (reader) throws(KeyStoreError) in try reader.integer() }
        expect([0: nil, 1: 2]) { (reader) throws(KeyStoreError) in try reader.optionalInteger() }
        expect([2: "x"]) { (reader) throws(KeyStoreError) in try reader.text() }
        expect([0: nil, 2: "x"]) { (reader) throws(KeyStoreError) in try reader.optionalText() }
        expect([3: [1]]) { (reader) throws(KeyStoreError) in try reader.blob() }
        expect([0: nil, 3: [1]]) { (reader) throws(KeyStoreError) in try reader.optionalBlob() }
        expect([2: 1]) { (reader) throws(KeyStoreError) in try reader.parsed { $0.count } }
        expect([Int: Int]()) { (reader) throws(KeyStoreError) in try reader.parsed { (_) -> Int? in nil } }
        expect([Int: Bool]()) { (reader) throws(KeyStoreError) in try reader.bool() }
        expect([Int: Word]()) { (reader) throws(KeyStoreError) in try reader.word() }
    }

    @Test func truthAndWords() throws {
        var reader = reader([.integer(0), .integer(1), .text("yes"), .text("Yes"), .integer(-1)])
        #expect(try reader.bool() == false)
        #expect(try reader.bool() == true)
        #expect(try reader.word(Word.self) == .yes)
        #expect(throws: damage(3)) { try reader.word(Word.self) }
        #expect(throws: damage(4)) { try reader.bool() }
        // A row that ends early reads as null.
        #expect(throws: damage(5)) { try reader.integer() }
    }
}
