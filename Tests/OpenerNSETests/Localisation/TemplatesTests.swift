import EnvelopeFormat
import Foundation
import TestSupport
import Testing

@testable import OpenerNSE

/// Which text is taken, from which file.
@Suite struct TemplatesTests {
    @Test func eachKeyIsLookedForAlongTheChain() throws {
        let folder = try TemplateFolder()
        for (name, keys) in [("-zh-Hant-HK", "a"), ("-zh-Hant", "ab"), ("-zh", "abc"), ("-fr", "abcd"), ("", "abcde")] {
            let members = keys.map { JSONMember("\($0)", .string("text\(name)")) }
            try folder.put(String(decoding: JSONValue.object(members).write(), as: UTF8.self), "notifications\(name).json")
        }
        let templates = folder.templates("zh-Hant-HK", "!", "fr-CA")
        #expect("abcdef".map { templates.text("\($0)") } == ["text-zh-Hant-HK", "text-zh-Hant", "text-zh", "text-fr", "text", nil])
        #expect(folder.templates("fr", "zh").text("a") == "text-fr")
        #expect(folder.templates("de").text("a") == "text")
        #expect(folder.templates().text("a") == "text")
        #expect(try folder.templates().refused().isEmpty)

        // Title and body each find their own.
        let both = templates.texts(title: LocalizedText(key: "e", arguments: []), body: LocalizedText(key: "b", arguments: []))
        #expect(both == ("text", "text-zh-Hant"))
        let turned = templates.texts(title: LocalizedText(key: "b", arguments: []), body: LocalizedText(key: "e", arguments: []))
        #expect(turned == ("text-zh-Hant", "text"))
        #expect(templates.texts(title: nil, body: nil) == (nil, nil))
        let one = templates.texts(title: LocalizedText(key: "f", arguments: []), body: LocalizedText(key: "c", arguments: []))
        #expect(one == (nil, "text-zh"))
    }

    @Test func aTextThatLacksAnArgumentIsLookedForFurther() throws {
        let folder = try TemplateFolder()
        try folder.put(#"{"k":"{a} und {b}"}"#, "notifications-de.json")
        try folder.put(#"{"k":"only {a}"}"#, "notifications.json")
        #expect(folder.templates("de").text("k", ["a": "1", "b": "2"]) == "1 und 2")
        #expect(folder.templates("de").text("k", ["a": "1"]) == "only 1")
        #expect(folder.templates("de").text("k", ["b": "1"]) == nil)
    }

    /// Of each file the reason; a value is in none of them.
    @Test func whatGivesNoTextIsSaid() throws {
        let folder = try TemplateFolder()
        try folder.put(#"{"k":"{a} und {nmae}","long":"{a}{a}","blank":"{a}"}"#, "notifications-de.json")
        try folder.put(#"{"k":1}"#, "notifications-fr.json")
        try folder.put(#"{"n":"news"}"#, "notifications.json")
        let templates = folder.templates("de-AT", "fr")
        func reason(_ key: String, _ value: String) -> String? {
            templates.unrendered(LocalizedText(key: key, arguments: [(name: "a", value: value)]))?.reason
        }
        let others = "notifications-fr.json: it is refused; notifications.json: it has no such key; not there: notifications-de-AT.json"
        #expect(reason("k", "1") == "notifications-de.json: the message has no argument nmae; \(others)")
        #expect(
            reason("long", String(repeating: "x", count: 5_000)) == "notifications-de.json: it comes to more than 8192 bytes; \(others)")
        #expect(reason("blank", " ") == "notifications-de.json: there is nothing to see of it; \(others)")
        #expect(reason("blank", "1") == nil && reason("n", "1") == nil)
        #expect(templates.unrendered(LocalizedText(key: "k", arguments: []))?.key == "k")
    }

    @Test func keysAreComparedCodePointByCodePoint() throws {
        let folder = try TemplateFolder()
        try folder.put("{\"\u{212A}\":\"Kelvin\",\"e\u{301}\":\"two\"}", "notifications.json")
        #expect(folder.templates().text("K") == nil)
        #expect(folder.templates().text("\u{E9}") == nil)
        #expect(folder.templates().text("e\u{301}") == "two")
    }

    @Test func pluralsByTheLanguageOfTheFile() throws {
        let folder = try TemplateFolder()
        let json = #"{"k":{"one":"{count} one","few":"{count} few","many":"{count} many","other":"{count} other"},"n":{"other":"news"}}"#
        for name in ["-ru", "-en", "-pt", "-pt-PT", "-tlh", ""] { try folder.put(json, "notifications\(name).json") }
        func say(_ language: String, _ count: String) -> String? { folder.templates(language).text("k", ["count": count]) }
        #expect(
            ["1", "3", "5", "21", "1.5", "-1", "007", "x"].map { say("ru", $0) } == [
                "1 one", "3 few", "5 many", "21 one", "1.5 other", "-1 one", "007 many", "x other",
            ])
        #expect(["1", "3", "1.0"].map { say("en", $0) } == ["1 one", "3 other", "1.0 other"])
        #expect(say("pt", "0") == "0 one")
        #expect(say("pt-PT", "0") == "0 other")
        #expect(say("pt-AO", "0") == "0 other")
        #expect(say("pt-BR", "0") == "0 one")
        #expect(say("tlh", "1") == "1 other")
        // The base file is in the language that the app says, or in none.
        #expect(say("xx", "1") == "1 other")
        #expect(folder.templates(base: "en-GB").text("k", ["count": "1"]) == "1 one")
        #expect(folder.templates(base: "!").text("k", ["count": "1"]) == "1 other")
        // Without a count, it is `other`, which may do without.
        #expect(folder.templates("ru").text("n") == "news")
        #expect(folder.templates("ru").text("k") == nil)
    }

    @Test func aCategoryThatIsNotThereIsOther() throws {
        let folder = try TemplateFolder()
        try folder.put(#"{"k":{"one":"one","other":"other"}}"#, "notifications-ru.json")
        #expect(["1", "3", "5"].map { folder.templates("ru").text("k", ["count": $0]) } == ["one", "other", "other"])
    }

    @Test func writtenFilesAreNamedCanonically() throws {
        let folder = try TemplateFolder()
        let templates = folder.templates("iw-IL", "zh_HK")
        try templates.write(Array(#"{"a":"he"}"#.utf8), language: "iw")
        try templates.write(Array(#"{"b":"hk"}"#.utf8), language: "ZH_hk-u-co-stroke")
        try templates.write(Array(#"{"c":"base"}"#.utf8), language: nil)
        #expect(try folder.directory.names() == ["notifications-he.json", "notifications-zh-HK.json", "notifications.json"])
        #expect(["a", "b", "c"].map { templates.text($0) } == ["he", "hk", "base"])
        try templates.remove(language: "he")
        try templates.remove(language: "he")
        try templates.remove(language: nil)
        #expect(["a", "b", "c"].map { templates.text($0) } == [nil, "hk", nil])
    }

    @Test(arguments: ["", "../x", "de/../../x", "/etc/passwd", "de\0", "x-mine", "und", "."])
    func whatIsNoLanguageIsNotWritten(_ language: String) throws {
        let folder = try TemplateFolder()
        let error = TemplateError(file: "notifications", reason: "not a language tag of BCP 47")
        #expect(throws: error) { try folder.templates().write(Array("{}".utf8), language: language) }
        #expect(throws: error) { try folder.templates().remove(language: language) }
        #expect(try folder.directory.names().isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.outer.path) == ["container"])
    }

    @Test func aLinkLeadsNowhere() throws {
        let folder = try TemplateFolder()
        let outside = folder.outer.appendingPathComponent("outside.json")
        try Data(#"{"a":"outside"}"#.utf8).write(to: outside)
        try FileManager.default.createSymbolicLink(
            atPath: folder.directory.path + "/notifications-de.json", withDestinationPath: outside.path)
        try folder.put(#"{"a":"base"}"#, "notifications.json")
        #expect(folder.templates("de").text("a") == "base")
        let errors = try folder.templates().refused()
        #expect(errors.count == 1 && errors.first?.file == "notifications-de.json" && errors.first?.reason.hasPrefix("open failed") == true)
        // Written anew, it is a file; what the link led to is as it was.
        try folder.templates().write(Array(#"{"a":"inside"}"#.utf8), language: "de")
        #expect(folder.templates("de").text("a") == "inside")
        #expect(try Data(contentsOf: outside) == Data(#"{"a":"outside"}"#.utf8))
    }

    @Test func filesThatNobodyLooksForAreTold() throws {
        let folder = try TemplateFolder()
        let wrong = [
            "notifications-DE.json", "notifications-iw.json", "notifications-zh_HK.json", "notifications-x.json", "notificationsde.json",
        ]
        for name in wrong + ["notifications-de.json", "other.json"] { try folder.put("{}", name) }
        let errors = try folder.templates().refused()
        #expect(errors.map(\.file) == wrong.sorted() && errors.allSatisfy { $0.reason.hasPrefix("no name of templates") })
    }

    /// Whatever is asked with whichever arguments: what is shown has no key in it and no place of an argument, in whatever language.
    @Test func neitherKeysNorPlacesAreEverShown() throws {
        var source = RepeatableRandom.announced()
        let folder = try TemplateFolder()
        let names = ["sender", "room", "count", "when"]
        var (shown, unshown) = (0, 0)
        for _ in 0..<TestAmount.rounds(200, slow: 5_000) {
            func text() -> JSONValue {
                let pieces = names.map { "{\($0)}" } + ["said ", "ש ", ": ", "in "]
                return .string((0...4).map { _ in pieces[Int.random(in: 0..<pieces.count, using: &source)] }.joined() + ".")
            }
            for file in ["notifications-pl.json", "notifications.json"] {
                let members = (0..<4).map { number in
                    let isPlural = Bool.random(using: &source)
                    return JSONMember(
                        "KEY.\(number)", isPlural ? .object([JSONMember("few", text()), JSONMember("other", text())]) : text())
                }
                try folder.directory.replace(file, with: JSONValue.object(members).write(), isDurable: false)
            }
            #expect(try folder.templates().refused().isEmpty)
            for _ in 0..<10 {
                let arguments = names.filter { _ in Int.random(in: 0..<4, using: &source) > 0 }.map { name in
                    (name: name, value: "\(Int.random(in: 0..<30, using: &source))")
                }
                let wanted = LocalizedText(key: "KEY.\(Int.random(in: 0..<5, using: &source))", arguments: arguments)
                guard let text = folder.templates("pl").texts(title: wanted, body: nil).title else {
                    unshown += 1
                    continue
                }
                shown += 1
                #expect(
                    !text.contains("KEY") && !text.contains { $0 == "{" || $0 == "}" } && !names.contains(where: text.contains), "\(text)")
            }
        }
        #expect(shown > 100 && unshown > 100)
    }
}
