import Foundation
import Testing

/// The project's own vectors, through the program.
@Suite struct VectorTests {
    private static var folder: URL {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appendingPathComponent("Vectors")
    }

    @Test func everyCaseIsAsExpected() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path).filter {
            // Others are of a form of their own, and are read by other tests.
            guard $0.hasSuffix(".json") else { return false }
            let text = try String(contentsOf: Self.folder.appendingPathComponent($0), encoding: .utf8)
            return text.hasPrefix(#"{"format":"waxwing-cases/1""#)
        }
        try #require(!files.isEmpty)
        let place = try Workplace()
        for file in files {
            let path = Self.folder.appendingPathComponent(file).path
            let finished = try place.run("keyctl kat --cases '\(path)'")
            #expect(finished.status == 0, "\(file): \(finished.outputText)\(finished.errorText)")
            let json = try place.run("keyctl kat --json --quiet --cases '\(path)'")
            #expect(json.outputLines.allSatisfy { $0.hasPrefix(#"{"id":""#) && $0.hasSuffix("}") })
            #expect(finished.outputText.contains(" \(json.outputLines.count) answered"))
        }
    }
}
