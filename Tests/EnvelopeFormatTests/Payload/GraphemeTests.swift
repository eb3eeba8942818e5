import Foundation
import TestSupport
import Testing

/// Swift's `Character` is the extended grapheme cluster that the page means: held to an independent implementation.
@Suite struct GraphemeTests {
    private static let ownFile = ProjectFolder.root.appendingPathComponent("Tests/Unicode/graphemes.txt")
    /// Unicode's own test, which some systems install.
    private static let publishedFile: URL? = {
        let folder = ProjectFolder.folder("WAXWING_UNICODE", else: "/usr/share/unicode/auxiliary")
        let file = folder?.appendingPathComponent("GraphemeBreakTest.txt")
        return file.flatMap { FileManager.default.fileExists(atPath: $0.path) ? $0 : nil }
    }()

    /// The clusters of the lines of a file in the form of `GraphemeBreakTest.txt`.
    private func samples(_ file: URL) throws -> [[String]] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").compactMap { line in
            let text = line.prefix { $0 != "#" }
            guard text.contains("÷") else { return nil }
            return try text.split(separator: "÷").compactMap { part in
                let scalars = try part.split { $0 == "×" || $0.isWhitespace }.map { number in
                    try #require(UInt32(number, radix: 16).flatMap { Unicode.Scalar($0) })
                }
                return scalars.isEmpty ? nil : String(String.UnicodeScalarView(scalars))
            }
        }
    }

    private func check(_ file: URL) throws -> Int {
        let samples = try samples(file)
        let wrong = samples.filter { clusters in
            clusters.joined().map { Array(String($0).unicodeScalars) } != clusters.map { Array($0.unicodeScalars) }
        }
        #expect(
            wrong.isEmpty, "\(wrong.prefix(5).map { $0.map { $0.unicodeScalars.map { String($0.value, radix: 16) } } })"
        )
        return samples.count
    }

    @Test func ownSamples() throws { #expect(try check(Self.ownFile) > 5_000) }

    @Test(
        .enabled(
            if: publishedFile != nil, "no GraphemeBreakTest.txt in /usr/share/unicode/auxiliary or WAXWING_UNICODE"))
    func publishedSamples() throws { #expect(try check(try #require(Self.publishedFile)) > 500) }

    /// GB9c, which came with Unicode 15.1: a conjunct is one cluster.
    @Test func conjunctsAreWhole() {
        #expect("क्त".count == 1)
        #expect("क्\u{200D}त".count == 1)
        #expect("क\u{94D}\u{94D}त".count == 1)
        #expect("कत".count == 2)
    }
}
