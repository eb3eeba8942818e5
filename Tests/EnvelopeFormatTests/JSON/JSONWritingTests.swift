import EnvelopeFormat
import Foundation
import TestSupport
import Testing

@Suite struct JSONWritingTests {
    @Test func exactBytes() {
        let all = String(String.UnicodeScalarView((0..<0x20).compactMap { Unicode.Scalar($0) }))
        let json = JSONValue.object([
            JSONMember("a/\"\\", .string(all + "\"\\/\u{7F}é\u{2028}😀")),
            JSONMember("", .array([.null, .bool(true), .bool(false)])),
        ])
        let expected =
            #"{"a/\"\\":"\u0000\u0001\u0002\u0003\u0004\u0005\u0006\u0007\b\t\n\u000b\f\r\u000e\u000f\u0010\u0011\u0012\u0013"#
            + #"\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c\u001d\u001e\u001f\"\\/"# + "\u{7F}é\u{2028}😀"
            + #"","":[null,true,false]}"#
        #expect(String(decoding: json.write(), as: UTF8.self) == expected)
    }

    /// The writer takes eight bytes at once where it can: each byte to escape at each place of each length.
    @Test func escapesAtEveryPlace() throws {
        for length in 1...20 {
            for place in 0..<length {
                for special in ["\"", "\\", "\u{0}", "\u{1F}", "\n", "é", "\u{7F}", "\u{80}", "😀"] {
                    var pieces = [String](repeating: "x", count: length)
                    pieces[place] = special
                    let text = JSONValue.string(pieces.joined())
                    #expect(try JSONValue.parse(text.write()) == text)
                    let foundation = try JSONSerialization.jsonObject(
                        with: Data(text.write()), options: .fragmentsAllowed)
                    #expect((foundation as? String).map { JSONValue.string($0) } == text)
                }
            }
        }
    }

    @Test func whatIsWrittenIsReadAgain() throws {
        var source = RepeatableRandom.announced()
        for _ in 0..<TestAmount.rounds(300, slow: 30_000) {
            let value = RandomJSON.value(depth: 5, using: &source)
            let bytes = value.write()
            let again = try JSONValue.parse(bytes)
            #expect(again == value)
            #expect(again.write() == bytes)
        }
    }

    /// Any one byte of a document changed, cut or added: it is refused, or means what its own bytes mean.
    @Test func damagedDocumentsNeverMeanTwoThings() throws {
        var source = RepeatableRandom.announced()
        for _ in 0..<TestAmount.rounds(600, slow: 60_000) {
            var bytes = RandomJSON.value(depth: 4, using: &source).write()
            let place = Int.random(in: 0..<max(1, bytes.count), using: &source)
            switch Int.random(in: 0..<3, using: &source) {
            case 0: if !bytes.isEmpty { bytes[place] = UInt8.random(in: 0...255, using: &source) }
            case 1: bytes.insert(UInt8.random(in: 0...255, using: &source), at: place)
            default: if !bytes.isEmpty { bytes.remove(at: place) }
            }
            guard let value = try? JSONValue.parse(bytes) else { continue }
            #expect(try JSONValue.parse(value.write()) == value)
            #expect(String(validating: bytes, as: UTF8.self) != nil)
        }
    }

    @Test func decimalNumbers() {
        var values: [Int64] = [0, 1, 9, 10, 11, 99, 100, 101, 999, 1_000, Int64.max, Int64.max - 1, -1, -10, Int64.min]
        var power: Int64 = 1
        while power <= Int64.max / 10 {
            power *= 10
            values += [power - 1, power, power + 1]
        }
        for value in values {
            var writer = ByteWriter(capacity: 64)
            writer.append(decimal: value)
            #expect(String(decoding: writer.bytes, as: UTF8.self) == String(value))
        }
    }
}
