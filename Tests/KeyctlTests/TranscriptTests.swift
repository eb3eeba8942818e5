import Foundation
import StoreFixtures
import Testing

/// Every transcript in `Transcripts/`, run against the built program.
@Suite struct TranscriptTests {
    @Test("transcript", arguments: Transcript.all)
    func transcript(_ url: URL) throws {
        let transcript = try Transcript(contentsOf: url)
        #expect(!transcript.steps.isEmpty)
        let place = try Workplace()
        for words in transcript.fixtures {
            try #require(words.count == 2, "\(transcript.name): a folder and a store follow @")
            _ = try StoreFixture(
                words[0], words[1], at: place.folder.path + "/" + words[1], keyFile: place.folder.path + "/key")
        }
        try transcript.run(in: place, variables: ["place": place.folder.path])
    }
}
