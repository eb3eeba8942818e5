import Foundation
import TestSupport
import Testing

/// The project's own vectors, through the program.
@Suite struct VectorTests {
    private static let folder = ProjectFolder.root.appendingPathComponent("Tests/Vectors")

    @Test func everyCaseIsAsExpected() throws {
        let files = try ProjectFolder.files(in: Self.folder, ending: "json").filter {
            try String(contentsOf: $0, encoding: .utf8).prefix(200).contains("waxwing-cases/1")
        }
        try #require(files.count >= 6)
        let place = try Workplace()
        for file in files.map(\.path) {
            let finished = try place.run("keyctl kat --cases '\(file)'")
            #expect(finished.status == 0, "\(file): \(finished.outputText)\(finished.errorText)")
            let json = try place.run("keyctl kat --json --quiet --cases '\(file)'")
            #expect(json.outputLines.allSatisfy { $0.hasPrefix(#"{"id":""#) && $0.hasSuffix("}") })
            #expect(finished.outputText.contains(" \(json.outputLines.count) answered"))
        }
    }

    @Test func theWholeFolderIsKnown() throws {
        let finished = try Workplace().run("keyctl kat --vectors '\(Self.folder.path)'")
        let total = try #require(finished.outputLines.last)
        #expect(
            finished.status == 0 && total.contains(" 0 failed; ") && total.hasSuffix("; 0 damaged or not read, 0 not vector files"),
            "\(total)")
    }
}
