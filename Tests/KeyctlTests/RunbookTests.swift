import Foundation
import TestSupport
import Testing

/// What `docs/operations.md` tells an operator to type is typed, and shows what is written there.
@Suite struct RunbookTests {
    @Test("recipe", arguments: try Recipe.all().filter { ![Recipe.fullDisk, Recipe.departure].contains($0.anchor) })
    func recipe(_ recipe: Recipe) throws { try recipe.run() }

    @Test(.enabled("a small file system can be mounted") { RunbookTests.canMount })
    func theDiskIsFull() throws {
        try #require(try Recipe.all().first { $0.anchor == Recipe.fullDisk }).run()
    }

    @Test(.enabled("there can be users of its own") { Machine.isPossible })
    func somebodyHasLeft() throws {
        try #require(try Recipe.all().first { $0.anchor == Recipe.departure }).run()
    }

    /// So that no command stands in the text alone.
    @Test func whatTheTextNamesIsRunInARecipe() throws {
        let commands = try Recipe.all().flatMap(\.commands)
        #expect(commands.count > 60)
        for match in try MarkdownPage(Recipe.document).prose.matches(of: /`(keyctl [^`]+)`/) {
            let words = match.output.1.split(separator: " ")
            let isRun = commands.contains { command in
                let typed = command.split(whereSeparator: { " \n".contains($0) })
                return words.allSatisfy { typed.contains($0) }
            }
            #expect(isRun, "\(match.output.1)")
        }
    }

    @Test func everyScriptPreparesARecipe() throws {
        let anchors = Set(try Recipe.all().map(\.anchor)).union(["common"])
        for file in try FileManager.default.contentsOfDirectory(atPath: Recipe.scripts.path) {
            #expect(anchors.contains(file.replacing(".sh", with: "")), "\(file)")
        }
    }

    private static var canMount: Bool {
        guard geteuid() == 0, let place = try? Workplace() else { return false }
        let probe = try? place.run("mkdir probe && mount -t tmpfs -o size=64k tmpfs probe && umount probe")
        return probe?.status == 0
    }
}
