import Foundation
import TestSupport
import Testing

/// A document of the project, for what can be checked of it.
struct MarkdownPage: CustomTestStringConvertible {
    /// Relative to the project.
    let path: String
    let text: String

    var testDescription: String { path }

    init(_ path: String) throws {
        self.path = path
        text = try String(contentsOf: ProjectFolder.root.appendingPathComponent(path), encoding: .utf8)
    }

    /// Every one at the top, in `docs`, and beside sources, tests and benchmarks.
    static func all() throws -> [MarkdownPage] {
        let root = ProjectFolder.root.path
        var paths = try FileManager.default.contentsOfDirectory(atPath: root)
        for folder in ["docs", "Sources", "Tests", "Benchmarks", "migrations"] {
            let below = try FileManager.default.subpathsOfDirectory(atPath: root + "/" + folder)
            paths += below.map { folder + "/" + $0 }
        }
        return try paths.filter { $0.hasSuffix(".md") }.sorted().map { try MarkdownPage($0) }
    }

    /// Without what stands in blocks of code.
    var prose: String {
        text.components(separatedBy: "\n```").enumerated().compactMap { $0.offset % 2 == 0 ? $0.element : nil }
            .joined(separator: "\n")
    }

    var anchors: Set<String> {
        Set(prose.split(separator: "\n").filter { $0.hasPrefix("#") }.map { Self.anchor(of: String($0.drop { $0 == "#" })) })
    }

    /// A heading as links write it: in lower case, blanks as hyphens, without punctuation.
    static func anchor(of heading: String) -> String {
        let words = heading.trimmingCharacters(in: .whitespaces).lowercased()
        return String(words.compactMap { $0 == " " ? "-" : $0.isLetter || $0.isNumber || "-_".contains($0) ? $0 : nil })
    }

    /// Where links lead that stay in the project: a path from its root, and what follows `#`.
    var links: [(path: String, anchor: String?)] {
        prose.matches(of: /\]\(([^)\s]+)\)/).map { String($0.output.1) }.filter { !$0.contains("://") }.map { link in
            let parts = link.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let folder = URL(fileURLWithPath: "/" + path).deletingLastPathComponent()
            let target = parts[0].isEmpty ? "/" + path : folder.appendingPathComponent(parts[0]).standardized.path
            return (String(target.dropFirst()), parts.count > 1 ? parts[1] : nil)
        }
    }
}
