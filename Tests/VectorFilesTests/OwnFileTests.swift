import EnvelopeFormat
import Foundation
import TestSupport
import Testing
import VectorFiles

/// The project's own vectors, as `keyctl kat --vectors Tests/Vectors` has them.
@Suite struct OwnFileTests {
    private static let files =
        (try? ProjectFolder.files(in: ProjectFolder.root.appendingPathComponent("Tests/Vectors"), ending: "json")) ?? []

    @Test func thereAreFiles() { #expect(Self.files.count >= 7) }

    /// Every file of the folder is of a format that is known here: who adds one adds its format.
    @Test(arguments: files) func everyCaseIsAsExpected(_ file: URL) throws {
        let tally = try #require(try VectorFormats.judge(ProjectFolder.bytes(file)), "no known format: see Sources/VectorFiles/README.md")
        // Those of other formats are judged by the tests beside their code.
        let isJudged = ["waxwing-cases/1", "waxwing-attachments/1"].contains(tally.title)
        #expect(tally.failures == [] && tally.cases > 0 && (isJudged ? tally.ran > tally.outside : tally.ran == 0))
        // Found as text: there are cases that are no JSON.
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(Int(try #require(text.firstMatch(of: /"count": ?(\d+)/)).output.1) == tally.cases)
    }

    @Test func aFileOfOursIsCounted() throws {
        let text = #"{"format":"waxwing-at-rest/1","about":"a","count":3,"stores":{},"cases":[1,2,{}]}"#
        let tally = try #require(try VectorFormats.judge(Array(text.utf8)))
        #expect(tally.notApplicable == ["judged by the project's tests alone": 3])
        for wrong in ["4", "0", "100000", "9007199254740991"] {
            let other = text.replacing("\"count\":3", with: "\"count\":\(wrong)")
            #expect(throws: FormatError.self) { try VectorFormats.judge(Array(other.utf8)) }
        }
        #expect(throws: FormatError.self) { try VectorFormats.judge(Array(text.dropLast().utf8)) }
        // A name of ours that there is not, one that has other members, and nothing at all.
        for (part, wrong) in [("at-rest/1", "at-rest/2"), ("at-rest/1", "sealer/1"), ("stores", "store"), ("3,", "0,")] {
            let other = text.replacing(part, with: wrong).replacing("[1,2,{}]", with: part == "3," ? "[]" : "[1,2,{}]")
            #expect(throws: FormatError.self, "\(wrong)") { try VectorFormats.judge(Array(other.utf8)) }
        }
    }
}
