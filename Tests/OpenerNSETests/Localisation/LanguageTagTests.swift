import TestSupport
import Testing

@testable import OpenerNSE

/// Language tags, and which files they lead to.
@Suite struct LanguageTagTests {
    private func chain(_ languages: String...) -> [String] { LanguageTag.chain(of: languages).map(\.description) }

    @Test(arguments: [
        ("de", "de"), ("DE", "de"), ("de-ch", "de-CH"), ("de_CH", "de-CH"), ("ZH-hant-hk", "zh-Hant-HK"), ("zh_Hant_HK", "zh-Hant-HK"),
        ("es-419", "es-419"), ("gsw", "gsw"), ("sr-latn", "sr-Latn"), ("de-CH-1996", "de-CH"), ("sl-rozaj-biske", "sl"),
        ("de-u-co-phonebk", "de"), ("zh-Hant-HK-u-nu-latn-x-mine", "zh-Hant-HK"), ("en-x-a-b", "en"), ("en-a-bbb-u-ca-gregory", "en"),
        ("de-Latn-1901-t-it", "de-Latn"), ("zh-yue-HK", "yue-HK"), ("zh-cmn-Hans-CN", "zh-Hans-CN"),
        ("iw", "he"), ("iw-IL", "he-IL"), ("in", "id"), ("ji", "yi"), ("jw", "jv"), ("mo-MD", "ro-MD"), ("tl", "fil"), ("cmn-CN", "zh-CN"),
        ("sh", "sr-Latn"), ("sh-Cyrl", "sr-Cyrl"), ("sh-ME", "sr-Latn-ME"), ("nb", "nb"), ("no", "no"),
    ]) func wellFormed(_ text: String, _ tag: String) { #expect(LanguageTag(text)?.description == tag) }

    @Test(arguments: [
        "", "d", "-", "_", "de-", "-de", "de--CH", "de CH", "d1", "dé", "ｄｅ", "de\u{301}", "de-\u{301}CH", "german", "germanlanguage",
        "i-klingon", "x-mine", "und", "und-Latn", "de-CH-AT", "de-1", "de-u", "de-u-", "de-x", "de-u-a", "de-abcdefghi", "de-CH-12", "1-de",
        "de.UTF-8", "de/CH", "../de", "de/../../x", "de\0", "\0", "de\n", ".", "..", "*", "C", "POSIX", "zh-yue-cmn", "\u{212A}a",
        "de-\u{212A}E",
        "de-u-" + String(repeating: "abc-", count: 40) + "abc",
    ]) func passedOver(_ text: String) {
        #expect(LanguageTag(text) == nil)
        #expect(chain(text).isEmpty)
    }

    @Test func lookup() {
        #expect(chain("zh-Hant-HK") == ["zh-Hant-HK", "zh-HK", "zh-Hant", "zh"])
        #expect(chain("zh-HK") == ["zh-HK", "zh-Hant-HK", "zh-Hant", "zh"])
        #expect(chain("zh-CN") == ["zh-CN", "zh-Hans-CN", "zh-Hans", "zh"])
        #expect(chain("zh-Hans-HK") == ["zh-Hans-HK", "zh-Hans", "zh"])
        #expect(chain("zh-Hant") == ["zh-Hant", "zh"])
        #expect(chain("zh") == ["zh", "zh-Hans"])
        #expect(chain("sr-ME") == ["sr-ME", "sr-Latn-ME", "sr-Latn", "sr"])
        #expect(chain("de-CH") == ["de-CH", "de"])
        #expect(chain("de-Latn-CH") == ["de-Latn-CH", "de-Latn", "de"])
        #expect(chain("es-MX") == ["es-MX", "es-419", "es"])
        #expect(chain("es-ES") == ["es-ES", "es"])
        #expect(chain("pt-AO") == ["pt-AO", "pt-PT", "pt"])
        #expect(chain("pt-BR") == ["pt-BR", "pt"])
        #expect(chain("nb-NO") == ["nb-NO", "nb", "no"])
        #expect(chain("no") == ["no", "nb"])
        #expect(chain("nn") == ["nn", "no", "nb"])
        #expect(chain("iw-IL") == ["he-IL", "he"])
    }

    @Test func preferredLanguagesInTheirOrderAndNoneTwice() {
        #expect(
            chain("fr-CA", "nonsense!", "zh-Hant-HK", "fr", "zh-HK", "en") == [
                "fr-CA", "fr", "zh-Hant-HK", "zh-HK", "zh-Hant", "zh", "en",
            ])
        let many = (0..<26).map { "q" + String(UnicodeScalar(UInt8(ascii: "a") + $0)) }
        #expect(LanguageTag.chain(of: ["!"] + many).map(\.description) == Array(many.prefix(16)))
    }

    /// What the tables say is what CLDR says, in both directions.
    @Test func factsAreCLDRs() throws {
        let lines = try LanguageFixture.lines("tags.txt")
        var (scripts, parents): ([String: String], [String: String]) = ([:], [:])
        for line in lines {
            try #require(line.count == 3)
            switch line[0] {
            case "script": scripts[line[1]] = line[2]
            case "parent": parents[line[1]] = line[2]
            case "renamed": #expect(LanguageTag(line[1])?.description == line[2])
            default: Issue.record("\(line)")
            }
        }
        #expect(scripts.count > 40 && parents.count > 30)
        let letters = (UInt8(ascii: "A")...UInt8(ascii: "Z")).map { String(UnicodeScalar($0)) }
        let regions = letters.flatMap { first in letters.map { first + $0 } }
        for language in Set(scripts.keys.map { String($0.prefix { $0 != "-" }) }) {
            for region in regions {
                let expected = scripts["\(language)-\(region)"] ?? scripts[language]
                #expect(LanguageFacts.script(of: language, in: region) == expected, "\(language)-\(region)")
            }
            #expect(LanguageFacts.script(of: language, in: nil) == scripts[language])
        }
        for language in ["es", "pt", "de"] {
            for region in regions {
                let nearer = LanguageFacts.nearerRegion(of: language, in: region).map { "\(language)-\($0)" }
                #expect(nearer == parents["\(language)-\(region)"], "\(language)-\(region)")
            }
        }
    }

    /// Whatever is given for a language, a file's name is made of letters, digits and hyphens.
    @Test func namesOfFilesCannotLeaveTheContainer() {
        var source = RepeatableRandom.announced()
        let pieces = ["de", "zh", "Hant", "HK", "-", "_", "/", "..", "\0", "x", "u", "419", "é", "\u{301}", ".json", "%2f", "\\"]
        var tags = 0
        for _ in 0..<TestAmount.rounds(20_000, slow: 500_000) {
            let text = (0..<Int.random(in: 0...6, using: &source)).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &source)] }
            for candidate in LanguageTag.chain(of: [text.joined()]) {
                tags += 1
                let file = TemplateSource(candidate).file
                let middle = file.utf8.dropFirst("notifications-".utf8.count).dropLast(".json".utf8.count)
                #expect(file.hasPrefix("notifications-") && file.hasSuffix(".json") && (2...11).contains(middle.count))
                #expect(middle.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == UInt8(ascii: "-") })
                #expect(TemplateSource.isName(file))
            }
        }
        #expect(tags > 100)
    }
}
