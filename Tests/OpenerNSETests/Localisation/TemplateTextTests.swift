import EnvelopeFormat
import TestSupport
import Testing

@testable import OpenerNSE

/// Arguments are put into a text in one pass, or there is no text.
@Suite struct TemplateTextTests {
    private typealias Arguments = [(name: String, value: String)]

    private func render(_ text: String, _ arguments: KeyValuePairs<String, String> = [:]) throws -> String? {
        let template = try TemplateText(text)
        return try? template.rendered(arguments.map { (name: $0.key, value: $0.value) })
    }

    @Test func places() throws {
        #expect(try render("plain") == "plain")
        #expect(try render("{a}", ["a": "1"]) == "1")
        #expect(try render("{a} and {b}, {a}", ["a": "1", "b": "2", "c": "3"]) == "1 and 2, 1")
        #expect(try render("é{sender.name-1_X}\u{301}", ["sender.name-1_X": "e"]) == "ée\u{301}")
        #expect(try render("{{a}} {{ }} }}{{ {{{a}}}", ["a": "1"]) == "{a} { } }{ {1}")
    }

    @Test func aValueIsNotLookedAtForPlaces() throws {
        #expect(try render("{a}{b}", ["a": "{b}", "b": "{a}"]) == "{b}{a}")
        #expect(try render("{{{a}", ["a": "a}"]) == "{a}")
        #expect(try render("{a}b}}", ["a": "{"]) == "{b}")
        #expect(try render("{a}", ["a": "{{x}}"]) == "{{x}}")
    }

    @Test func aMissingArgumentLeavesNoText() throws {
        #expect(try render("{a}") == nil)
        #expect(try render("{a} {b}", ["a": "1"]) == nil)
        #expect(try render("{a}", ["A": "1", "a ": "2", " a": "3", "{a}": "4"]) == nil)
        // Names are compared code point by code point.
        #expect(try render("{K}", ["\u{212A}": "1"]) == nil)
    }

    @Test func theFirstOfTwoArgumentsOfOneName() throws { #expect(try render("{a}", ["a": "1", "a": "2"]) == "1") }

    @Test func nothingToSeeIsNoText() throws {
        for value in ["", " ", "\n\t", "\u{A0}", "\u{200B}", "\u{2068}\u{2069}", "\u{202E}", "\u{2067}"] {
            #expect(try render("{a} {b}", ["a": value, "b": ""]) == nil)
        }
        #expect(try render("{a}", ["a": "."]) == ".")
    }

    @Test func whatATextComesTo() throws {
        let limit = TemplateText.renderedByteLimit
        #expect(try render("{a}", ["a": String(repeating: "x", count: limit)])?.utf8.count == limit)
        #expect(try render("{a}", ["a": String(repeating: "x", count: limit + 1)]) == nil)
        #expect(try render(String(repeating: "{a}", count: 1_000), ["a": String(repeating: "x", count: 4_000)]) == nil)
        #expect(try render(String(repeating: "x", count: 4_096))?.utf8.count == 4_096)
    }

    @Test(arguments: [
        ("", "a text of 0 bytes, not 1 to 4096"), (String(repeating: "x", count: 4_097), "a text of 4097 bytes, not 1 to 4096"),
        (String(repeating: "é", count: 2_049), "a text of 4098 bytes, not 1 to 4096"),
        ("{", "a { that begins no {name}; {{ is a brace"), ("a{", "a { that begins no {name}; {{ is a brace"),
        ("{}", "a { that begins no {name}; {{ is a brace"), ("{a b}", "a { that begins no {name}; {{ is a brace"),
        ("{a", "a { that begins no {name}; {{ is a brace"), ("{a{b}}", "a { that begins no {name}; {{ is a brace"),
        ("{é}", "a { that begins no {name}; {{ is a brace"), ("{%@}", "a { that begins no {name}; {{ is a brace"),
        ("{" + String(repeating: "n", count: 65) + "}", "a { that begins no {name}; {{ is a brace"),
        ("}", "a } that ends nothing; }} is a brace"), ("{a}}", "a } that ends nothing; }} is a brace"),
        ("{{a}", "a } that ends nothing; }} is a brace"), ("}}}", "a } that ends nothing; }} is a brace"),
    ]) func refused(_ text: String, _ reason: String) {
        #expect(throws: TemplateFlaw(reason: reason)) { try TemplateText(text) }
    }

    /// Built from its pieces, written down with braces doubled, and rendered: what comes out is the pieces in a row.
    @Test func whatIsWrittenDownComesOut() throws {
        var source = RepeatableRandom.announced()
        for _ in 0..<TestAmount.rounds(3_000, slow: 100_000) {
            let arguments = Self.arguments(using: &source)
            var (written, expected) = ("", "x")
            for _ in 0..<Int.random(in: 1...8, using: &source) {
                if Bool.random(using: &source), let argument = arguments.randomElement(using: &source) {
                    written += "{\(argument.name)}"
                    expected += argument.value
                } else {
                    let literal = Self.soup(using: &source)
                    written += literal.unicodeScalars.map { $0 == "{" || $0 == "}" ? "\($0)\($0)" : "\($0)" }.joined()
                    expected += literal
                }
            }
            let rendered = try TemplateText("x" + written).rendered(arguments)
            #expect(Self.bare(rendered) == Self.bare(expected), "\(written) \(arguments)")
        }
    }

    /// Any text at all: refused, without an argument, or rendered, exactly as a slow reading scalar by scalar has it.
    @Test func asASlowReadingHasIt() throws {
        var source = RepeatableRandom.announced()
        var (refused, missing, rendered) = (0, 0, 0)
        for _ in 0..<TestAmount.rounds(10_000, slow: 300_000) {
            var arguments = Self.arguments(using: &source)
            if Int.random(in: 0..<3, using: &source) == 0 { arguments.removeLast() }
            let text = "x" + Self.soup(using: &source)
            let expected = SlowTemplate(text, arguments)
            guard let template = try? TemplateText(text) else {
                refused += 1
                #expect(expected == .refused, "\(text)")
                continue
            }
            guard let result = try? template.rendered(arguments) else {
                missing += 1
                #expect(expected == .missing, "\(text)")
                continue
            }
            rendered += 1
            #expect(expected == .text(Self.bare(result)), "\(text) \(arguments)")
        }
        #expect(refused > 100 && missing > 100 && rendered > 100)
    }

    private static func arguments(using source: inout RepeatableRandom) -> Arguments {
        ["a", "b", "long.name"].map { (name: $0, value: soup(using: &source)) }
    }

    private static func soup(using source: inout RepeatableRandom) -> String {
        let pieces = [
            "{", "}", "{{", "}}", "{a}", "{b}", "{c}", "{long.name}", "a", " ", "{a} ", "x", "é", "ש", "\u{2069}", "\u{2067}", "\n",
        ]
        let more = RandomText.text(pieces: 0...2, using: &source)
        return (0..<Int.random(in: 0...5, using: &source)).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &source)] }.joined()
            + (Int.random(in: 0..<4, using: &source) == 0 ? more : "")
    }

    /// Without what isolates, which `DirectionTests` looks at; as scalars, as strings compare otherwise.
    static func bare(_ text: String) -> [UInt32] { text.unicodeScalars.map(\.value).filter { !(0x2066...0x2069).contains($0) } }
}
