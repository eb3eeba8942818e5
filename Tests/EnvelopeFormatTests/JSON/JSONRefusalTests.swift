import EnvelopeFormat
import Testing

/// What strict JSON is not: one flaw each.
@Suite struct JSONRefusalTests {
    struct Flaw: Sendable, CustomTestStringConvertible {
        let about: String
        let bytes: [UInt8]

        init(_ about: String, _ text: String) { self.init(about, Array(text.utf8)) }
        init(_ about: String, _ bytes: [UInt8]) {
            self.about = about
            self.bytes = bytes
        }
        var testDescription: String { about }
    }

    private func refusal(_ bytes: [UInt8]) -> FormatError? {
        do {
            _ = try JSONValue.parse(bytes)
            return nil
        } catch {
            return error
        }
    }

    private static func quoted(_ bytes: [UInt8]) -> [UInt8] { [0x22] + bytes + [0x22] }

    static let structure = [
        Flaw("nothing", ""), Flaw("white space alone", " \t\r\n"),
        Flaw("a byte order mark", [0xEF, 0xBB, 0xBF, 0x7B, 0x7D]),
        Flaw("UTF-16", [0x7B, 0, 0x7D, 0]), Flaw("a trailing comma in an object", #"{"a":1,}"#),
        Flaw("a trailing comma in an array", "[1,]"), Flaw("a leading comma", "[,1]"), Flaw("a comma alone", "[,]"),
        Flaw("no comma", "[1 2]"), Flaw("two commas", "[1,,2]"), Flaw("no colon", #"{"a" 1}"#),
        Flaw("two colons", #"{"a"::1}"#),
        Flaw("no value", #"{"a":}"#), Flaw("no name", "{:1}"), Flaw("a name without quotes", "{a:1}"),
        Flaw("a number as a name", "{1:1}"), Flaw("null as a name", "{null:1}"), Flaw("single quotes", "{'a':1}"),
        Flaw("an open object", "{"), Flaw("an open array", "["), Flaw("an object closed as an array", "{]"),
        Flaw("an open object after a member", #"{"a":1"#), Flaw("an open string", #""a"#),
        Flaw("an open escape", #""a\"#),
        Flaw("a comment", "{}/**/"), Flaw("a line comment", "{}//"), Flaw("a second value", "{}{}"),
        Flaw("a letter after", "{}a"),
        Flaw("a comma after", "{},"), Flaw("a NUL after", "{}\u{0}"), Flaw("a NUL before", "\u{0}{}"),
        Flaw("a form feed", "{}\u{C}"),
        Flaw("a vertical tab", "\u{B}{}"), Flaw("a no-break space", "{}\u{A0}"), Flaw("a line separator", "{}\u{2028}"),
        Flaw("a next line", "{}\u{85}"), Flaw("a backspace", "\u{8}{}"), Flaw("True", "True"), Flaw("tru", "tru"),
        Flaw("truee", "truee"), Flaw("nul", "nul"), Flaw("NaN", "NaN"), Flaw("Infinity", "Infinity"),
        Flaw("undefined", "undefined"),
    ]

    static let numbers = [
        "+1", "01", "-01", "00", "-", "--1", "- 1", ".5", "5.", "-.5", "1.e5", "1e", "1E", "1e+", "1e-", "1e5.5",
        "1.2.3", "0x10",
        "1_000", "1,000.", "１", "٣", "1f", "0b1", "1e５", "Inf", "-Infinity",
    ].map { Flaw("the number \($0)", "[\($0)]") }

    static let strings =
        [
            Flaw("an unknown escape", #""\a""#), Flaw("an escaped quote '", #""\'""#), Flaw("\\x", #""\x41""#),
            Flaw("\\U", #""\U00000041""#),
            Flaw("\\u{}", #""\u{41}""#), Flaw("three digits", #""\u041""#), Flaw("no digits", #""\u""#),
            Flaw("digits with a sign", #""\u+041""#),
            Flaw("a full-width digit", #""\u００４１""#), Flaw("a letter past f", #""\u004g""#),
            Flaw("a lone high surrogate", #""\ud800""#), Flaw("a lone low surrogate", #""\udc00""#),
            Flaw("a high surrogate and a letter", #""\ud800a""#), Flaw("two high surrogates", #""\ud83d\ud83d""#),
            Flaw("a pair the wrong way round", #""\ude00\ud83d""#),
            Flaw("a high surrogate and another escape", #""\ud83d\n""#),
            Flaw("a high surrogate and an escaped letter", #""\ud83d\u0041""#),
            Flaw("a high surrogate cut short", #""\ud83d\ude""#),
            Flaw("a lone surrogate as a name", #"{"\ud800":1}"#),
            Flaw("an escaped line break", quoted([0x5C, 0x0A])), Flaw("an escaped NUL byte", quoted([0x5C, 0x00])),
            Flaw("a surrogate as three bytes", quoted([0xED, 0xA0, 0x80])),
            Flaw("CESU-8", quoted([0xED, 0xA0, 0xBD, 0xED, 0xB8, 0x80])),
            Flaw("an overlong slash", quoted([0xC0, 0xAF])), Flaw("an overlong NUL", quoted([0xC0, 0x80])),
            Flaw("overlong in three", quoted([0xE0, 0x80, 0xAF])),
            Flaw("overlong in four", quoted([0xF0, 0x80, 0x80, 0xAF])),
            Flaw("past U+10FFFF", quoted([0xF4, 0x90, 0x80, 0x80])),
            Flaw("five bytes", quoted([0xF8, 0x88, 0x80, 0x80, 0x80])),
            Flaw("0xFF", quoted([0xFF])), Flaw("0xFE", quoted([0xFE])), Flaw("a continuation alone", quoted([0x80])),
            Flaw("a lead byte alone", quoted([0xC3])),
            Flaw("cut short before an escape", quoted([0xE2, 0x80] + Array(#"\u00a6"#.utf8))),
            Flaw("a continuation after an escape", quoted(Array(#"\n"#.utf8) + [0xA6])),
            Flaw("0xFF outside", [0x7B, 0xFF, 0x7D]),
            Flaw("bad bytes in a name", [0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D]),
        ] + (0..<0x20).map { Flaw("a raw control character \($0)", quoted([0x61, UInt8($0)])) }

    @Test(arguments: structure + numbers + strings)
    func flaw(_ flaw: Flaw) throws {
        let error = try #require(refusal(flaw.bytes))
        #expect(error.field == "JSON")
        #expect(!error.doesNotFit)
    }

    /// A number by itself is a value; so a flawed one is refused at the top as well.
    @Test(arguments: numbers) func flawedNumberAtTheTop(_ flaw: Flaw) {
        #expect(refusal(Array(flaw.bytes.dropFirst().dropLast())) != nil)
    }

    static let twice = [
        #"{"a":1,"a":1}"#, #"{"a":1,"b":2,"a":3}"#, #"{"a":1,"\u0061":2}"#, #"{"":1,"":2}"#,
        #"{"\ud83d\ude00":1,"😀":2}"#,
        #"{"\/":1,"/":2}"#, #"{"x":{"a":1,"a":1}}"#, #"[[[{"b":0},{"a":1,"a":1}]]]"#, #"{"\u00e9":1,"é":2}"#,
        #"{"x":{"x":{"x":{"y":1,"\u0079":2}}}}"#, #"{"\u0000":1,"\u0000":2}"#,
    ]

    @Test(arguments: twice) func memberTwice(_ text: String) throws {
        let error = try #require(refusal(Array(text.utf8)))
        #expect(error.reason.hasPrefix("a member twice"))
    }

    /// The set of names changes its form as it grows; the second of a name is found at any distance.
    @Test(arguments: [1, 2, 15, 16, 17, 18, 40, 1_000], [0, 1, 16, 17]) func memberTwiceAmongMany(
        _ count: Int, _ first: Int
    ) throws {
        guard first < count else { return }
        let names = (0..<count).map { "\"n\($0)\":0" } + ["\"n\(first)\":1"]
        let error = try #require(refusal(Array("{\(names.joined(separator: ","))}".utf8)))
        #expect(error.reason.hasPrefix("a member twice"))
        #expect(refusal(Array("{\(names.dropLast().joined(separator: ","))}".utf8)) == nil)
    }

    static let deep: [(open: String, close: String)] = [("[", "]"), (#"{"a":"#, "}")]

    @Test(arguments: 0...1) func depth(_ kind: Int) throws {
        let (open, close) = Self.deep[kind]
        func nested(_ depth: Int, _ inside: String) -> [UInt8] {
            Array((String(repeating: open, count: depth) + inside + String(repeating: close, count: depth)).utf8)
        }
        #expect(refusal(nested(16, "1")) == nil)
        #expect(refusal(nested(15, "{}")) == nil)
        #expect(refusal(nested(15, "[]")) == nil)
        for bytes in [nested(17, "1"), nested(16, "{}"), nested(16, "[]"), nested(100_000, "1")] {
            let error = try #require(refusal(bytes))
            #expect(error.reason.hasPrefix("deeper than 16"))
        }
    }

    /// The error says where and why, and nothing of what was read.
    @Test func theErrorHoldsNoInput() throws {
        let error = try #require(refusal(Array(#"{"secret-name":"secret-text"#.utf8)))
        #expect(!error.description.contains("secret"))
        #expect(error == FormatError(field: "JSON", reason: "the end at byte 27"))
    }
}
