import TestSupport
import Testing

@testable import OpenerNSE

/// A value keeps its direction to itself.
@Suite struct DirectionTests {
    private func render(_ text: String, _ value: String) throws -> String? {
        let template = try TemplateText(text)
        return try? template.rendered([(name: "a", value: value), (name: "b", value: "b")])
    }

    @Test func whatRunsFromLeftToRightIsLeftAsItIs() throws {
        #expect(try render("{a} wrote (1): {b}!", "Zoë 日本 7") == "Zoë 日本 7 wrote (1): b!")
    }

    @Test func eachValueIsIsolatedWhereThereAreTwoDirections() throws {
        #expect(try render("{a} wrote: {b}", "דנה") == "\u{2068}דנה\u{2069} wrote: \u{2068}b\u{2069}")
        #expect(try render("הודעה מ-{a}", "Anna (2)") == "הודעה מ-\u{2068}Anna (2)\u{2069}")
        #expect(try render("{a}!", "\u{202E}evil") == "\u{2068}\u{202E}evil\u{2069}!")
        #expect(try render("{a}\u{200F}!", "x") == "\u{2068}x\u{2069}\u{200F}!")
        // Without a value there is nothing to isolate.
        #expect(try render("שלום", "") == "שלום")
    }

    @Test func aValueCannotEndItsIsolation() throws {
        #expect(Direction.isolated("a\u{2069}\u{202E}b") == "\u{2068}a\u{202E}b\u{2069}")
        #expect(Direction.isolated("\u{2067}a") == "\u{2068}\u{2067}a\u{2069}\u{2069}")
        #expect(Direction.isolated("\u{2066}a\u{2069}\u{2069}b") == "\u{2068}\u{2066}a\u{2069}b\u{2069}")
        #expect(Direction.isolated("\u{2069}") == "")
    }

    /// Isolation ends with a paragraph; each has its own.
    @Test func paragraphs() {
        #expect(Direction.isolated("a\nb") == "\u{2068}a\u{2069}\n\u{2068}b\u{2069}")
        #expect(Direction.isolated("a\r\n\n\u{2067}b\u{2029}") == "\u{2068}a\u{2069}\r\n\n\u{2068}\u{2067}b\u{2069}\u{2069}\u{2029}")
    }

    /// In every paragraph of any value, the first scalar opens what the last one ends (UAX 9, BD9), and nothing visible is lost.
    @Test func anyValueIsIsolated() {
        var source = RepeatableRandom.announced()
        let controls = ["\u{2066}", "\u{2067}", "\u{2068}", "\u{2069}"]
        for _ in 0..<TestAmount.rounds(5_000, slow: 200_000) {
            let value = (0..<Int.random(in: 0...12, using: &source)).map { _ in
                switch Int.random(in: 0..<4, using: &source) {
                case 0: RandomText.text(pieces: 1...2, using: &source)
                case 1: ["\n", "\r\n", "\u{2029}", "\u{85}", "\u{1C}"].randomElement(using: &source) ?? ""
                default: controls.randomElement(using: &source) ?? ""
                }
            }.joined()
            let isolated = Direction.isolated(value[...])
            #expect(TemplateTextTests.bare(isolated) == TemplateTextTests.bare(value))
            let ends: Set<UInt32> = [0x0A, 0x0D, 0x1C, 0x1D, 0x1E, 0x85, 0x2029]
            for paragraph in isolated.unicodeScalars.map(\.value).split(whereSeparator: ends.contains) {
                var (depth, depths): (Int, [Int]) = (0, [])
                for scalar in paragraph {
                    if (0x2066...0x2068).contains(scalar) { depth += 1 }
                    if scalar == 0x2069 { depth -= 1 }
                    depths.append(depth)
                }
                #expect(paragraph.first == 0x2068 && depths.last == 0 && depths.dropLast().allSatisfy { $0 > 0 })
            }
        }
    }

    /// Nothing that Unicode has run from right to left is taken for something else.
    @Test func allThatTellsADirectionIsKnown() throws {
        let ranges = try LanguageFixture.lines("directions.txt")
        #expect(ranges.count > 100)
        for range in ranges {
            let (first, last) = (try #require(UInt32(range[0], radix: 16)), try #require(UInt32(range[1], radix: 16)))
            for value in first...last {
                let text = String(try #require(Unicode.Scalar(value)))
                #expect(Direction.isTold(in: text[...]), "\(range)")
            }
        }
        for value in UInt32(0x20)..<0x0590 { #expect(!Direction.isTold(in: String(Unicode.Scalar(value) ?? " ")[...])) }
        #expect(!Direction.isTold(in: "漢字かな한국어🙂नमस्ते"))
    }
}
