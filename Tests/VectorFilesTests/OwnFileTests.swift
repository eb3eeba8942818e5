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
        #expect(tally.failures == [] && tally.ran == tally.cases && tally.cases > 0)
        let count = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])["count"] as? Int
        #expect(tally.cases == count)
    }
}
