import Foundation
import FoundationXML
import Testing

@testable import keyctl

/// The page of `simulate --html`: whole, harmless whatever a message says, and right in every direction of writing.
@Suite struct SimulationPageTests {
    private func page(_ before: SimulationPage.Card, _ after: SimulationPage.Card?, facts: [String] = []) throws -> XMLDocument {
        let bytes = SimulationPage(app: "com.example <app>", before: before, after: after, facts: facts).bytes
        // Of HTML that XML reads too, but for the first line and the elements without an end.
        var text = String(decoding: bytes, as: UTF8.self)
        text = text.replacingOccurrences(of: "<!DOCTYPE html>\n", with: "")
        text = try Regex("<(meta|img)([^>]*)>").replace(text)
        return try XMLDocument(xmlString: text)
    }

    private struct Regex {
        let pattern: NSRegularExpression
        init(_ pattern: String) throws { self.pattern = try NSRegularExpression(pattern: pattern) }
        func replace(_ text: String) throws -> String {
            pattern.stringByReplacingMatches(in: text, range: NSRange(text.startIndex..., in: text), withTemplate: "<$1$2/>")
        }
    }

    private func texts(_ document: XMLDocument, _ path: String) throws -> [String] {
        try document.nodes(forXPath: path).map { $0.stringValue ?? "" }
    }

    @Test func beforeAndAfterStandSideBySide() throws {
        let document = try page(
            .init(body: "New message"), .init(title: "Anna", subtitle: "s", body: "See you"), facts: ["delivered", "started"])
        #expect(try texts(document, "//section[@id='before']//article//p") == ["New message"])
        #expect(try texts(document, "//section[@id='after']//article//p") == ["Anna", "s", "See you"])
        #expect(try texts(document, "//section[@id='after']//article//p/@class") == ["title", "subtitle", "body"])
        #expect(try texts(document, "//footer//li") == ["delivered", "started"])
        #expect(try texts(document, "//span[@class='app']") == ["com.example <app>", "com.example <app>"])
        let style = try texts(document, "//style")[0]
        #expect(style.contains("prefers-color-scheme:dark") && style.contains("color-scheme:light dark"))
    }

    @Test func whatIsNotRewrittenIsShownAsItCame() throws {
        let document = try page(.init(title: "T", body: "B"), nil)
        #expect(try texts(document, "//section[@id='after']//article//p") == ["T", "B"])
        #expect(try texts(document, "//section[@id='after']/h2") == ["After: as it came"])
    }

    /// Each text decides on its direction itself.
    @Test func textFromRightToLeftIsMarkedSo() throws {
        let document = try page(.init(body: "New message"), .init(title: "דנה", body: "مرحبا Anna!"))
        #expect(try texts(document, "//article//p/@dir").allSatisfy { $0 == "auto" })
        #expect(try texts(document, "//section[@id='after']//article//p") == ["דנה", "مرحبا Anna!"])
    }

    @Test func nothingInAMessageIsMarkup() throws {
        let hostile = "<script>alert(1)</script><img src=x onerror='a'>&amp;\"'</p></article>\u{0}\u{202E}"
        let document = try page(.init(body: hostile), .init(title: hostile, subtitle: hostile, body: hostile), facts: [hostile])
        #expect(try document.nodes(forXPath: "//script | //img").isEmpty)
        let shown = hostile.replacingOccurrences(of: "\u{0}\u{202E}", with: #"\u{0}\u{202e}"#)
        #expect(try texts(document, "//section[@id='after']//article//p") == [shown, shown, shown])
    }

    /// What moves a cursor, ends a line of the page's source or turns text around is shown as what it is, wherever it stands; what a
    /// template brings to keep directions apart stays.
    @Test func whatIsNoCharacterToLookAtIsShownAsWhatItIs() throws {
        let unseen = Array(0...0x1F) + Array(0x7F...0x9F) + Array(0x202A...0x202E) + [0x061C, 0x200E, 0x200F, 0x2028, 0x2029]
        for value in unseen where value != 0x0A {
            let text = "a\(Character(try #require(Unicode.Scalar(UInt32(value)))))b"
            let bytes = SimulationPage(app: text, before: .init(body: text), after: .init(title: text, notes: [text]), facts: [text]).bytes
            let page = String(decoding: bytes, as: UTF8.self)
            #expect(!page.unicodeScalars.contains { $0.value == UInt32(value) }, "\(value)")
            #expect(page.contains(PrintableText.escape(text)))
        }
        let kept = "one\ntwo \u{2068}three\u{2069}"
        #expect(SimulationPage.escape(kept) == kept)
    }

    @Test func thePageIsWholeAndFetchesNothing() throws {
        var card = SimulationPage.Card(body: "b")
        card.image = (.png, [1, 2, 3])
        card.notes = ["without its sound: it was shown before"]
        let document = try page(.init(body: "b"), card)
        #expect(try texts(document, "//img/@src") == ["data:image/png;base64,AQID"])
        #expect(try texts(document, "//p[@class='note']") == card.notes)
        #expect(try texts(document, "//meta/@content").contains("default-src 'none'; style-src 'unsafe-inline'; img-src data:"))
        #expect(try document.nodes(forXPath: "//link | //script | //@href | //@onload").isEmpty)
        #expect(!(try texts(document, "//style")[0].contains("url(")))
    }
}
