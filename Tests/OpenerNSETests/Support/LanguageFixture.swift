import Foundation
import TestSupport

/// The lines of a file of `Tests/Languages`, word by word.
enum LanguageFixture {
    static func lines(_ name: String) throws -> [[String]] {
        let file = ProjectFolder.root.appendingPathComponent("Tests/Languages/\(name)")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
            .map { $0.split(separator: " ").map(String.init) }
    }
}
