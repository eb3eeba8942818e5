import TestSupport
import Testing

@testable import OpenerNSE

/// Plural categories, held to CLDR's as another implementation has them.
@Suite struct PluralTests {
    private struct Expected {
        var numbers: [String] = []
        var letters: [String: String] = [:]

        init() throws {
            for line in try LanguageFixture.lines("plurals.txt") {
                if line[0] == "numbers" { numbers += line.dropFirst() } else { letters[line[0]] = line[1] }
            }
        }
    }

    private static let letters: [PluralCategory: Character] = [
        .zero: "z", .one: "o", .two: "t", .few: "f", .many: "m", .other: "x",
    ]

    @Test func categoriesAreCLDRs() throws {
        let expected = try Expected()
        let languages = PluralFamily.allCases.flatMap(\.languages).map(String.init)
        #expect(languages.count == Set(languages).count && languages.count > 100 && expected.numbers.count > 300)
        for language in languages {
            let tag = try #require(LanguageTag(language))
            let family = try #require(PluralFamily(tag), "\(language)")
            let found = try expected.numbers.map { number in
                let operands = try #require(PluralOperands(number), "\(number)")
                return try #require(Self.letters[family.category(of: operands)])
            }
            let wanted = Array(try #require(expected.letters[language], "\(language)"))
            let wrong = zip(expected.numbers, zip(wanted, found)).filter { $0.1.0 != $0.1.1 }
            #expect(wanted.count == found.count && wrong.isEmpty, "\(language): \(wrong.prefix(5))")
        }
    }

    /// What is not listed has one form here; the languages people write most in are listed.
    @Test func whichLanguages() throws {
        for language in ["tlh", "qaa", "kw", "tzm"] { #expect(PluralFamily(LanguageTag(language: language)) == nil) }
        let common =
            "ar bg bn ca cs da de el en es et fa fi fr gu he hi hr hu id it ja kn ko lt lv ml mr ms nb nl no pa pl pt ro ru sk sl sr sv ta "
            + "te th tr uk ur vi zh"
        for language in common.split(separator: " ") { #expect(PluralFamily(LanguageTag(language: String(language))) != nil) }
        #expect(PluralFamily(LanguageTag(language: "pt", region: "PT")) == .italian)
        #expect(PluralFamily(LanguageTag(language: "pt", region: "AO")) == .italian)
        #expect(PluralFamily(LanguageTag(language: "pt", region: "BR")) == .french)
        #expect(PluralFamily(LanguageTag(language: "pt")) == .french)
        #expect(PluralFamily(LanguageTag(language: "zh", script: "Hant", region: "HK")) == .invariable)
    }

    @Test(arguments: [
        "", "-", ".", "1.", ".5", "-.5", "+1", "--1", "1-", " 1", "1 ", "1e3", "1E3", "0x1", "1,5", "1.2.3", "one", "NaN", "inf", "١", "１",
        "1\u{301}", "1\0", String(repeating: "1", count: 65),
    ]) func notANumber(_ text: String) { #expect(PluralOperands(text) == nil) }

    @Test(arguments: [
        ("1", "001"), ("1", "-1"), ("0", "-0"), ("0", "00000"), ("21", "-0021"), ("1.50", "01.50"),
    ]) func signsAndLeadingZerosDoNotCount(_ number: String, _ written: String) throws {
        let operands = try #require(PluralOperands(number))
        #expect(operands == PluralOperands(written))
    }

    /// Zeros right behind the point are places, too.
    @Test func places() throws {
        let number = try #require(PluralOperands("3.01100"))
        #expect(number.i == 3 && number.v == 5 && number.f == 1_100 && number.t == 11 && !number.isWhole)
        for (text, expected) in [("0.01", PluralCategory.one), ("0.011", .one), ("0.11", .zero), ("0.00", .zero), ("0.001", .one)] {
            let number = try #require(PluralOperands(text))
            #expect(PluralFamily.latvian.category(of: number) == expected, "\(text)")
        }
    }

    /// A number of 64 digits is none too many, and its last digits decide.
    @Test func largeNumbers() throws {
        let zeros = String(repeating: "0", count: 60)
        func category(_ family: PluralFamily, _ end: String) throws -> PluralCategory {
            let operands = try #require(PluralOperands("1" + zeros + end))
            return family.category(of: operands)
        }
        for (end, expected) in [("001", PluralCategory.one), ("011", .many), ("022", .few), ("000", .many)] {
            #expect(try category(.russian, end) == expected)
        }
        #expect(try category(.oneIsOne, "001") == .other)
        #expect(try category(.spanish, "000") == .many)
    }
}
