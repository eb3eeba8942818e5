import EnvelopeFormat
import Foundation
import Testing

/// What strict JSON is, and what is read out of it.
@Suite struct JSONReadingTests {
    private func parse(_ text: String) throws -> JSONValue { try JSONValue.parse(Array(text.utf8)) }

    @Test func values() throws {
        #expect(try parse("null") == .null)
        #expect(try parse(" \t\r\ntrue \t\r\n") == .bool(true))
        #expect(try parse("false") == .bool(false))
        #expect(try parse("\"\"") == .string(""))
        #expect(try parse("[ ]") == .array([]))
        #expect(try parse("{ }") == .object([]))
        #expect(
            try parse(#" { "b" : [ 1 , "x" ] , "a" : { } } "#)
                == .object([
                    JSONMember("b", .array([.number("1"), .string("x")])), JSONMember("a", .object([])),
                ]))
    }

    @Test func escapes() throws {
        #expect(
            try parse(#""\"\\\/\b\f\n\r\t\u0041\u00E9\u20ac\uD83D\uDE00\u0000""#)
                == .string("\"\\/\u{8}\u{C}\n\r\tAé€😀\u{0}"))
        #expect(try parse(#""\uFFFE\uffff\ufeff""#) == .string("\u{FFFE}\u{FFFF}\u{FEFF}"))
        #expect(try parse("\"\u{7F}\u{10FFFF}\"") == .string("\u{7F}\u{10FFFF}"))
    }

    @Test(arguments: [
        "0", "-0", "1", "-1", "10", "0.0", "1.50", "-0.5", "1e400", "1E+5", "1e-0005", "0e0", "9007199254740993",
        String(repeating: "9", count: 400), "0." + String(repeating: "1", count: 400),
    ]) func numberTokensAreKept(_ token: String) throws {
        #expect(try parse(token) == .number(token))
        #expect(try parse("[\(token) ]").write() == Array("[\(token)]".utf8))
    }

    @Test func namesThatLookAlikeAreTwo() throws {
        let json = try parse(
            "{\"\u{E9}\":1,\"e\u{301}\":2,\"K\":3,\"\u{212A}\":4,\"a\":5,\"A\":6,\"\u{37E}\":7,\";\":8}")
        #expect(json.members?.count == 8)
        #expect(json["K"] == .number("3"))
        #expect(json["\u{212A}"] == .number("4"))
        #expect(json["\u{E9}"] == .number("1"))
        #expect(json["e\u{301}"] == .number("2"))
        #expect(json["\u{37E}"] == .number("7"))
        #expect(json["b"] == nil)
    }

    @Test func equalityIsByCodePoint() {
        #expect(JSONValue.string("\u{E9}") != .string("e\u{301}"))
        #expect(JSONValue.string("K") != .string("\u{212A}"))
        #expect(JSONMember("K", .null) != JSONMember("\u{212A}", .null))
        #expect(JSONValue.number("1") != .number("1.0"))
        #expect(JSONValue.bool(true) != .number("1"))
        #expect(JSONValue.array([]) != .object([]))
        #expect(JSONValue.null != .bool(false))
    }

    @Test func aPlainInteger() throws {
        let good: [String: Int64] = [
            "0": 0, "7": 7, "1700000000": 1_700_000_000, "9007199254740991": 9_007_199_254_740_991,
        ]
        for (token, value) in good { #expect(try parse(token).plainInteger == value) }
        for token in [
            "-0", "-1", "1.0", "1e3", "1E0", "0.5", "9007199254740992", "9223372036854775808", "18446744073709551616",
            String(repeating: "9", count: 400), "true", "\"1\"", "null", "[1]", "{}",
        ] {
            #expect(try parse(token).plainInteger == nil, "\(token)")
        }
    }

    /// Twenty times the members take about twenty times as long, not four hundred; in time of this thread's own.
    @Test func aLargeFlatObjectIsNotQuadratic() throws {
        func seconds() -> Double {
            var time = timespec()
            clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
        func time(_ count: Int) throws -> Double {
            let names = (0..<count).map { "\"name-\($0)\":\($0)" }.joined(separator: ",")
            let bytes = Array("{\(names)}".utf8)
            let start = seconds()
            _ = try JSONValue.parse(bytes)
            return seconds() - start
        }
        let small = try (0..<7).map { _ in try time(2_000) }.min() ?? 0
        let large = try (0..<3).map { _ in try time(40_000) }.min() ?? 0
        #expect(large < small * 120, "2,000: \(small) s, 40,000: \(large) s")
    }

    @Test func aFileOfOurOwnMayBeDeeper() throws {
        let bytes = Array((String(repeating: "[", count: 20) + String(repeating: "]", count: 20)).utf8)
        #expect(throws: FormatError.self) { try JSONValue.parse(bytes) }
        #expect(throws: Never.self) { try JSONValue.parse(bytes, maximumDepth: 20) }
        #expect(throws: FormatError.self) { try JSONValue.parse(bytes, maximumDepth: 19) }
    }
}
