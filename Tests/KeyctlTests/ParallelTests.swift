import Foundation
import Testing

/// Several programs on one store at the same time.
@Suite struct ParallelTests {
    private static let count = 24

    /// Not the shell's `wait`: it never returns where the threads of the tests have SIGCHLD blocked.
    private static func atOnce(_ line: String) -> String {
        "seq \(count) | xargs -P \(count) -I N sh -c '\(line)'"
    }

    @Test func eachRotationPrintsItsOwnKid() throws {
        let stores = try TestStores()
        let line = "keyctl rotate --store sealer --conversation chat"
        _ = try stores.ends(Self.atOnce("\(line) > kid.N"), 0)
        let kids = try stores.ends("cat kid.*", 0).outputLines
        #expect(kids.count == Self.count && Set(kids).count == Self.count)
        let epochs = Set(kids.compactMap { $0.split(separator: ".").last.flatMap { Int($0) } })
        #expect(epochs == Set(1...Self.count))
    }

    @Test func eachRekeyPrintsItsOwnSecret() throws {
        let stores = try TestStores()
        let line = "keyctl rotate --store sealer --conversation chat --rekey --restart --json"
        _ = try stores.ends(Self.atOnce("\(line) > rekey.N"), 0)
        let documents = try stores.ends("cat rekey.*", 0).outputLines
        let waiting = documents.compactMap { $0.firstMatch(of: /"waiting":"([^"]+)"/)?.output.1 }
        #expect(waiting.count == Self.count && Set(waiting).count == Self.count)
    }
}
