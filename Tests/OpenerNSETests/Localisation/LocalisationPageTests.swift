import Foundation
import TestSupport
import Testing

@testable import OpenerNSE

/// `docs/localisation.md` says what is so.
@Suite struct LocalisationPageTests {
    private let page: String

    init() throws {
        page = try String(contentsOf: ProjectFolder.root.appendingPathComponent("docs/localisation.md"), encoding: .utf8)
    }

    /// What stands between backquotes in each row of the table under a heading.
    private func rows(under heading: String) throws -> [[String]] {
        let table = try #require(page.components(separatedBy: heading).last)
        let lines = table.split(separator: "\n", omittingEmptySubsequences: false).dropFirst(2).prefix { $0.hasPrefix("|") }
        return lines.map { line in line.split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) } }
    }

    @Test func theExampleIsAFileOfTemplates() throws {
        let block = try #require(page.components(separatedBy: "```json\n").dropFirst().first?.components(separatedBy: "```").first)
        let folder = try TemplateFolder()
        try folder.templates().write(Array(block.utf8), language: "en")
        let templates = folder.templates("en-GB")
        #expect(templates.text("message.from", ["sender": "Anna"]) == "New message from Anna")
        #expect(templates.text("message.count", ["count": "1"]) == "1 new message")
        #expect(templates.text("message.count", ["count": "12"]) == "12 new messages")
        #expect(templates.text("message.code") == "Copy {code} into the form")
    }

    @Test func theErrorIsWorded() throws {
        let folder = try TemplateFolder()
        let error = try #require(throws: TemplateError.self) {
            try folder.templates().write(Array(#"{"message.count":{"one":"1"}}"#.utf8), language: "de")
        }
        #expect(page.contains("`\(error)`"))
    }

    @Test func whichFiles() throws {
        let rows = try rows(under: "| language | files that are asked |")
        #expect(rows.count > 5)
        for row in rows { #expect(LanguageTag.chain(of: [row[0]]).map(\.description) == Array(row.dropFirst())) }
    }

    @Test func bounds() {
        #expect(page.contains("| 32,768 bytes |") && TemplateFile.byteLimit == 32_768)
        #expect(page.contains("| 1 to 256 bytes, no control characters |") && TemplateFile.keyByteCounts == 1...256)
        #expect(page.contains("| 1 to 4,096 bytes |") && TemplateText.byteCounts == 1...4_096)
        #expect(page.contains("| 1 to 64 of the letters") && TemplateText.nameByteCounts == 1...64)
        #expect(page.contains("| 8,192 bytes |") && TemplateText.renderedByteLimit == 8_192)
    }

    /// The languages whose plurals are known, family by family, and no others.
    @Test func pluralLanguages() throws {
        let listed = try rows(under: "| languages |").map { row in Set(row.flatMap { $0.split(separator: " ") }) }
        #expect(listed.count == PluralFamily.allCases.count)
        #expect(Set(listed) == Set(PluralFamily.allCases.map { Set($0.languages) }))
    }
}
