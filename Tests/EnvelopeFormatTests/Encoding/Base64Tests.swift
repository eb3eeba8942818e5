import EnvelopeFormat
import Foundation
import TestSupport
import Testing

@Suite struct Base64Tests {
    private func url(_ standard: String) -> String {
        standard.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
            .replacingOccurrences(of: "=", with: "")
    }

    @Test func everyLengthAgainstFoundation() {
        var source = RepeatableRandom.announced()
        for length in 0...300 {
            for _ in 0..<4 {
                let bytes = source.bytes(length)
                let standard = Data(bytes).base64EncodedString()
                #expect(Base64.encode(bytes) == standard)
                #expect(Base64.decode(standard) == bytes)
                #expect(Base64URL.encode(bytes) == url(standard))
                #expect(Base64URL.decode(url(standard)) == bytes)
                #expect(Base64URL.encodedCount(length) == url(standard).utf8.count)
                #expect(Base64URL.decodedCount(url(standard).utf8.count) == length)
            }
        }
    }

    /// Every text of one or two characters is read as it is written, or not at all.
    @Test func everyTail() {
        var wrong: [[UInt8]] = []
        for first in UInt8.min...UInt8.max {
            if Base64URL.decode([first]) != nil || Base64.decode([first]) != nil { wrong.append([first]) }
            for second in UInt8.min...UInt8.max {
                let bare =
                    Base64URL.decode([first, second]).map { Array(Base64URL.encode($0).utf8) } ?? [first, second]
                let padded = [first, second, 0x3D, 0x3D]
                let read = Base64.decode(padded).map { Array(Base64.encode($0).utf8) } ?? padded
                if bare != [first, second] || read != padded { wrong.append([first, second]) }
            }
        }
        #expect(wrong.isEmpty)
    }

    /// How many texts of a length are read is how many byte strings there are: one text each.
    @Test func exactlyOneTextForEachByte() {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
        var read: Set<[UInt8]> = []
        for first in letters {
            for second in letters {
                if let bytes = Base64URL.decode([first, second]) { #expect(read.insert(bytes).inserted) }
            }
        }
        #expect(read.count == 256)
        for third in letters {
            let value = Base64URL.decode([UInt8(ascii: "A"), UInt8(ascii: "A"), third])
            #expect((value != nil) == (letters.firstIndex(of: third).map { $0 % 4 == 0 } ?? false))
        }
    }

    @Test(arguments: [
        "A", "AAAAA", "AA=", "AA==", "=", "AAA=", "AAAA=", "AA A", " AAAA", "AAAA\n", "AA+A", "AA/A", "AB", "AAB",
        "AAÄ", "AA\u{0}A",
        "A\u{212A}AA", "AA.A", "%41AA", "AAAA====", "____B",
    ]) func notBase64URL(_ text: String) {
        #expect(Base64URL.decode(text) == nil)
    }

    @Test(arguments: [
        "A", "AA", "AAA", "AAAAA", "AA=", "A===", "====", "=", "==", "=AAA", "AA=A", "A=AA", "AAAA=", "AAAA====",
        "AB==", "AAB=", "AA-A",
        "AA_A", "AA A", "AAAA\n", "\nAAAA", "AA==AAAA", "AAAAA===", "A\u{212A}==", "AA\u{0}=",
    ]) func notBase64(_ text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test func nothingIsNothing() {
        #expect(Base64.decode("") == [])
        #expect(Base64URL.decode("") == [])
        #expect(Base64.encode([]) == "")
        #expect(Base64URL.encode([]) == "")
    }
}
