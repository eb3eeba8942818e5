import EnvelopeFormat
import Testing

@testable import KeyStore

/// Words and names in rows are compared code point by code point: to Swift's == the Kelvin sign is a K, and é two ways the same.
/// Only who has the integrity key can write such a row; it is damage all the same, as what was read would be written otherwise.
@Suite struct RowWordsTests {
    private func read<R: Record>(_: R.Type, _ identifier: String, _ values: [FieldValue]) -> KeyStoreError.Kind? {
        do throws(KeyStoreError) {
            let held = try Held<R>(StoredRow(table: R.table, identifier: identifier, version: 1, values: values))
            #expect(held.record.values == values && held.record.identifier.isSame(as: identifier))
            return nil
        } catch { return error.kind }
    }

    @Test(arguments: zip(["HPKE-7", "HP\u{212A}E-7", "hpke-7"], [nil, .damaged, .damaged] as [KeyStoreError.Kind?]))
    func aWord(algorithm: String, fault: KeyStoreError.Kind?) {
        let values: [FieldValue] = [
            .text("chat"), .text(algorithm), .text("AAAAAAAAAAAAAAAA"), .integer(3), .text("after-first-unlock"), .text("active"), .null,
            .integer(1), .integer(2),
        ]
        #expect(read(HeldEpochRow.self, "AAAAAAAAAAAAAAAA.3", values) == fault)
    }

    @Test(arguments: zip(["caf\u{E9}", "cafe\u{301}"], [nil, .damaged] as [KeyStoreError.Kind?]))
    func aName(slot: String, fault: KeyStoreError.Kind?) {
        let values: [FieldValue] = [.text("caf\u{E9}"), .text("integrity"), .integer(1), .blob([1])]
        #expect(read(ClassKeyRow.self, "\(slot)/integrity/1", values) == fault)
    }
}
