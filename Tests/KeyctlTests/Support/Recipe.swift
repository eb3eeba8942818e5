import Foundation
import TestSupport
import Testing

/// A section of `docs/operations.md` and the commands in it, which are a transcript.
///
/// `Tests/KeyctlTests/Runbook/common.sh` makes what every recipe begins with, and the script named for the recipe's heading, if
/// there is one, the trouble that it is for. Paths that begin with `/srv/waxwing` or `/mnt/safe` are in a folder of the test.
struct Recipe: CustomTestStringConvertible {
    static let document = "docs/operations.md"
    /// The one whose trouble needs a file system of its own.
    static let fullDisk = "the-disk-is-full"
    /// The one that needs users and processes of its own.
    static let departure = "somebody-has-left"

    /// The heading as links to it write it.
    let anchor: String
    private var lines: [(Int, String)] = []

    var testDescription: String { anchor }
    var commands: [String] { transcript(at: "").steps.map(\.line) }

    static func all() throws -> [Recipe] {
        let text = try String(contentsOf: ProjectFolder.root.appendingPathComponent(document), encoding: .utf8)
        var recipes: [Recipe] = []
        var isBlock = false
        for (number, line) in zip(1..., text.components(separatedBy: "\n")) {
            if line.hasPrefix("```") {
                isBlock.toggle()
            } else if isBlock {
                if !recipes.isEmpty { recipes[recipes.count - 1].lines.append((number, line)) }
            } else if line.hasPrefix("## ") {
                recipes.append(Recipe(anchor: MarkdownPage.anchor(of: String(line.dropFirst(3)))))
            }
        }
        return recipes.filter { !$0.lines.isEmpty }
    }

    private init(anchor: String) { self.anchor = anchor }

    /// With the folder in front of every path of the document.
    func transcript(at folder: String) -> Transcript {
        Transcript(
            name: Self.document,
            lines: lines.map { number, line in
                let here = ["/srv/waxwing", "/mnt/safe"].reduce(line) { $0.replacing($1, with: folder + $1) }
                return (number, here)
            })
    }

    /// Where the scripts are that prepare recipes.
    static var scripts: URL { ProjectFolder.root.appendingPathComponent("Tests/KeyctlTests/Runbook") }

    /// Makes the stores, then the trouble, then does what the recipe says.
    func run() throws {
        let place = try Workplace()
        defer { if anchor == Self.fullDisk { _ = try? place.run("umount srv/waxwing") } }
        let variables = ["WAXWING_STORE": place.folder.path + "/srv/waxwing/backend"]
        for name in ["common", anchor] {
            let script = Self.scripts.appendingPathComponent(name + ".sh")
            guard name == "common" || FileManager.default.fileExists(atPath: script.path) else { continue }
            let finished = try place.run("sh -e '\(script.path)'", variables: variables)
            guard finished.status == 0 else { throw PreparationFailure(script: name, message: finished.errorText) }
        }
        if anchor == Self.departure { place.machine = try Machine(String(decoding: try place.read("machine"), as: UTF8.self)) }
        defer { place.machine = nil }
        try transcript(at: place.folder.path).run(in: place, variables: variables)
    }

    struct PreparationFailure: Error {
        let script: String
        let message: String
    }
}
