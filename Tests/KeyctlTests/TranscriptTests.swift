import Foundation
import StoreFixtures
import Testing

/// Every transcript in `Transcripts/`, run against the built program.
@Suite struct TranscriptTests {
    /// All copies of an older store have one identifier, by which the kernel's keyring keeps a session: what another test
    /// unlocks would be unlocked here. An agent is of one directory.
    private static let olderStores = ["WAXWING_SESSION_HOLDER": "agent"]

    @Test("transcript", arguments: Transcript.all)
    func transcript(_ url: URL) throws {
        let transcript = try Transcript(contentsOf: url)
        #expect(!transcript.steps.isEmpty)
        // Its locking finds the keys of every copy, wherever they are held.
        let turn = transcript.fixtures.isEmpty ? nil : try FixtureTurn()
        defer { withExtendedLifetime(turn) {} }
        let place = try Workplace(variables: transcript.fixtures.isEmpty ? [:] : Self.olderStores)
        for words in transcript.fixtures {
            try #require(words.count == 2, "\(transcript.name): a folder and a store follow @")
            _ = try StoreFixture(
                words[0], words[1], at: place.folder.path + "/" + words[1], keyFile: place.folder.path + "/key")
        }
        try transcript.run(in: place, variables: ["place": place.folder.path])
    }

    @Test func anOlderStoreHasASessionOfItsOwn() throws {
        let turn = try FixtureTurn()
        defer { withExtendedLifetime(turn) {} }
        let places = try (0..<2).map { _ in try Workplace(variables: Self.olderStores) }
        for place in places {
            let path = place.folder.path
            _ = try StoreFixture("schema-1", "phone", at: path + "/phone", keyFile: path + "/key")
        }
        let unlocking = ["migrate", "unlock"].map { "echo 4711 | keyctl \($0) --store phone --passphrase-fd 0" }
            .joined(separator: " && ")
        let unlocked = try places[0].run(unlocking)
        #expect(unlocked.status == 0, "\(unlocked.errorText)")
        #expect(try places[1].run("keyctl migrate --store phone").status == 77)
    }
}
