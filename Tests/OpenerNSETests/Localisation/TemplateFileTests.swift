import EnvelopeFormat
import Testing

@testable import OpenerNSE

/// A file that is not wholly a file of templates is refused as a whole, with an error that names file, key and reason.
@Suite struct TemplateFileTests {
    private static let long = String(repeating: "k", count: 257)

    @Test(
        arguments: [
            ("", nil, "no strict JSON: the end at byte 0"),
            ("{\"a\":\"b\"", nil, "no strict JSON: the end at byte 8"),
            ("{\"a\":\"b\",\"a\":\"c\"}", nil, "no strict JSON: a member twice at byte 12"),
            ("{\"a\":\"b\"} x", nil, "no strict JSON: something after the value at byte 10"),
            ("\u{FEFF}{\"a\":\"b\"}", nil, "no strict JSON: no value at byte 0"),
            ("[]", nil, "not an object"), ("\"a\"", nil, "not an object"), ("null", nil, "not an object"),
            ("{\"ok\":\"b\",\"\":\"c\"}", nil, "key number 2 is not 1 to 256 bytes without control characters"),
            ("{\"\(long)\":\"c\"}", nil, "key number 1 is not 1 to 256 bytes without control characters"),
            ("{\"a\\u0000\":\"c\"}", nil, "key number 1 is not 1 to 256 bytes without control characters"),
            ("{\"ok\":\"b\",\"a\":1}", "a", "neither a string nor an object"), ("{\"a\":null}", "a", "neither a string nor an object"),
            ("{\"a\":[\"b\"]}", "a", "neither a string nor an object"), ("{\"a\":true}", "a", "neither a string nor an object"),
            ("{\"a\":{}}", "a", "other is missing"), ("{\"a\":{\"one\":\"b\"}}", "a", "other is missing"),
            ("{\"a\":{\"other\":\"b\",\"Other\":\"c\"}}", "a", "a member that is none of zero, one, two, few, many, other"),
            ("{\"a\":{\"other\":\"b\",\"1\":\"c\"}}", "a", "a member that is none of zero, one, two, few, many, other"),
            ("{\"a\":{\"other\":\"b\",\"few\":2}}", "a", "few is not a string"),
            ("{\"a\":{\"other\":{\"other\":\"b\"}}}", "a", "other is not a string"),
            ("{\"a\":{\"other\":\"b\",\"few\":\"{\"}}", "a", "few: a { that begins no {name}; {{ is a brace"),
            ("{\"a\":{\"other\":\"\"}}", "a", "other: a text of 0 bytes, not 1 to 4096"),
            ("{\"a\":\"\"}", "a", "a text of 0 bytes, not 1 to 4096"),
            ("{\"ok\":\"b\",\"a\":\"}\"}", "a", "a } that ends nothing; }} is a brace"),
        ] as [(String, String?, String)]) func refused(_ json: String, _ key: String?, _ reason: String) throws
    {
        let error = TemplateError(file: "notifications-de.json", key: key, reason: reason)
        #expect(throws: error) { try TemplateFile(Array(json.utf8), name: "notifications-de.json") }
        #expect(error.description == "notifications-de.json: " + (key.map { "\($0): " } ?? "") + reason)

        // To a reader it is as good as absent: also for the keys that are well.
        let folder = try TemplateFolder()
        try folder.put(json, "notifications-de.json")
        try folder.put(#"{"ok":"base","a":"base"}"#, "notifications.json")
        #expect(folder.templates("de").text("ok") == "base")
        #expect(folder.templates("de").text("a") == "base")
        #expect(try folder.templates().refused() == [error])

        // And it never takes the place of a good one.
        let good = #"{"ok":"good"}"#
        try folder.templates().write(Array(good.utf8), language: "de")
        #expect(throws: error) { try folder.templates().write(Array(json.utf8), language: "de") }
        #expect(folder.templates("de").text("ok") == "good")
        #expect(try folder.templates().refused().isEmpty)
    }

    @Test func bytesThatAreNoUTF8() {
        #expect(throws: TemplateError(file: "f", reason: "no strict JSON: text that is not UTF-8 at byte 8")) {
            try TemplateFile(Array("{\"a\":\"".utf8) + [0xFF] + Array("\"}".utf8), name: "f")
        }
    }

    @Test func bounds() throws {
        let limit = TemplateFile.byteLimit
        let largest = Array("{\"ok\":\"b\"}".utf8) + [UInt8](repeating: UInt8(ascii: " "), count: limit - 10)
        let folder = try TemplateFolder()
        try folder.templates().write(largest, language: "de")
        #expect(folder.templates("de").text("ok") == "b")
        let error = TemplateError(file: "notifications-de.json", reason: "32769 bytes, more than 32768")
        #expect(throws: error) { try folder.templates().write(largest + [0x20], language: "de") }
        #expect(folder.templates("de").text("ok") == "b")
        try folder.directory.replace("notifications-de.json", with: largest + [0x20])
        #expect(folder.templates("de").text("ok") == nil)
        #expect(try folder.templates().refused() == [error])

        let key = String(repeating: "k", count: 256)
        try folder.put("{\"\(key)\":\"b\",\"Neue Nachricht von {name} 🙂\":\"c\"}", "notifications-de.json")
        #expect(folder.templates("de").text(key) == "b")
        #expect(folder.templates("de").text("Neue Nachricht von {name} 🙂") == "c")
        #expect(try folder.templates().refused().isEmpty)
    }

    @Test func emptyIsAFileToo() throws {
        let folder = try TemplateFolder()
        try folder.put(" {} ", "notifications-de.json")
        #expect(folder.templates("de").text("a") == nil)
        #expect(try folder.templates().refused().isEmpty)
    }
}
