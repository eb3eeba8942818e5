import Foundation
import TestSupport
import Testing

/// The list of Apple's API that somebody with a Mac holds against the SDK.
@Suite struct ApiListTests {
    private func lines(_ arguments: [String] = []) throws -> [String] {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3", ProjectFolder.root.appendingPathComponent("scripts/apple-api").path] + arguments
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        return text.split(separator: "\n").map(String.init)
    }

    /// Every word in the sources that has a prefix of Apple's.
    private func words() throws -> Set<String> {
        let folder = ProjectFolder.root.appendingPathComponent("Sources/OpenerNSE/Apple")
        let files = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        var words: Set<String> = []
        for case let file as URL in files where file.pathExtension == "swift" {
            for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") where !line.contains("//") {
                for match in line.matches(
                    of:
                        /\b(UN[A-Z]\w+|k(?:Sec|CG|UT|CF)\w+|errSec\w+|Sec(?!Item(?:Store|Keychain))[A-Z]\w+|CG[A-Z]\w+|CF[A-Z]\w+|OS[A-Z]\w+)\b/
                ) {
                    words.insert(String(match.output.1))
                }
            }
        }
        return words
    }

    @Test func itHasEveryNameThatTheSourcesUse() throws {
        let lines = try lines()
        let words = try words()
        #expect(words.count > 30 && words.isSuperset(of: ["SecItemUpdate", "kSecAttrAccessGroup", "UNNotificationRequest"]))
        for word in words {
            #expect(lines.contains { $0.contains(try! Regex("(func|var|let|class|struct|typealias|init\\(.*) ?\(word)\\b")) }, "\(word)")
        }
        for word in ["containerURL(", "performExpiringActivity(", "os  struct Logger", "didReceive("] {
            #expect(lines.contains { $0.contains(word) }, "\(word)")
        }
    }

    @Test func itIsSortedAndEachLineSaysWhere() throws {
        let (used, unused) = (try lines(), try lines(["--unused"]))
        #expect(used == used.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) } && Set(used).count == used.count)
        #expect(used.allSatisfy { $0.hasSuffix(".swift") } && unused.allSatisfy { $0.hasSuffix("  -") })
        #expect(!(used + unused).contains { $0.localizedCaseInsensitiveContains("emulat") })
    }
}
