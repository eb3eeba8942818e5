import Testing

@testable import KeyStore

/// The encoding that binds what is wrapped: written here by hand, as whoever writes and reads with the same code would not notice.
@Suite struct AssociatedDataTests {
    @Test func everyFormWithItsLength() {
        var data = AssociatedData("ab")
        data.append("é")
        data.append([9, 8, 7])
        data.append(Int64(-2))
        data.append(FieldValue.null)
        data.append(FieldValue.integer(258))
        data.append(FieldValue.text(""))
        data.append(FieldValue.blob([]))
        data.append(encoded: [0xEE])
        let expected: [[UInt8]] = [
            [1, 0, 0, 0, 2, 0x61, 0x62], [1, 0, 0, 0, 2, 0xC3, 0xA9], [2, 0, 0, 0, 3, 9, 8, 7],
            [3, 0, 0, 0, 8, 255, 255, 255, 255, 255, 255, 255, 254], [4, 0, 0, 0, 0],
            [3, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 1, 2], [1, 0, 0, 0, 0], [2, 0, 0, 0, 0], [0xEE],
        ]
        #expect(data.bytes == expected.flatMap(\.self))
    }

    /// All four bytes of a length.
    @Test func aLongPart() {
        let count = 0x0102_0304
        var data = AssociatedData("")
        data.append([UInt8](repeating: 5, count: count))
        #expect(data.bytes.count == 5 + 5 + count)
        #expect(data.bytes.prefix(11) == [1, 0, 0, 0, 0, 2, 1, 2, 3, 4, 5])
    }
}
