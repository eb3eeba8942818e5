import CryptoPrimitives
import EnvelopeFormat
import Testing

/// A file of our own that holds a key: it is handed out apart, and its place is empty.
@Suite struct KeyMemberTests {
    private static let key = Base64URL.encode([UInt8](repeating: 0xAB, count: 32))

    @Test func theKeyComesApart() throws {
        let (value, key) = try JSONValue.parse(Array(#"{"a":1,"k":"\#(Self.key)"}"#.utf8), keyMember: "k")
        #expect(key == SymmetricKey(data: [UInt8](repeating: 0xAB, count: 32)))
        #expect(value == .object([JSONMember("a", .integer(1)), JSONMember("k", .string(""))]))
    }

    @Test(arguments: ["{}", "[]", #"{"k":1}"#, #"{"k":""}"#, #"{"k":"AAAA"}"#, #"{"x":{"k":"\#(key)"}}"#, #"{"k":"\#(key)A"}"#])
    func noKey(_ text: String) {
        #expect(throws: FormatError(field: "k", reason: "not the base64url of 32 bytes")) {
            try JSONValue.parse(Array(text.utf8), keyMember: "k")
        }
    }

    @Test func wholeNumbers() {
        #expect(JSONValue.integer(-1).write() == Array("-1".utf8))
        #expect(JSONValue.integer(UInt64.max).write() == Array("18446744073709551615".utf8))
    }
}
