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
            try #require(words.count == 2, "\(transcript.name).transcript: a folder and a store follow @")
            _ = try StoreFixture(
                words[0], words[1], at: place.folder.path + "/" + words[1], keyFile: place.folder.path + "/key")
        }
        var variables = ["place": place.folder.path]
        for step in transcript.steps {
            let before = step.isUnchanged ? try StoreDump.of(place.folder) : []
            let finished = try place.run(step.line, variables: variables)
            let isAsExpected =
                finished.status == step.status
                && ExpectedText.matches(step.output, finished.outputLines, &variables)
                && ExpectedText.matches(step.error, finished.errorLines, &variables)
            if !isAsExpected {
                Issue.record(
                    """
                    \(transcript.name).transcript:\(step.number): $ \(step.line)
                    expected ? \(step.status)
                    \((step.output + step.error.map { "! \($0)" }).joined(separator: "\n"))
                    came ? \(finished.status)
                    \((finished.outputLines + finished.errorLines.map { "! \($0)" }).joined(separator: "\n"))
                    """)
                return
            }
            if step.isUnchanged {
                let after = try StoreDump.of(place.folder)
                let difference = after.difference(from: before).map { "\($0)".prefix(300) }
                #expect(difference.isEmpty, "\(transcript.name).transcript:\(step.number): \(difference)")
            }
        }
    }
}
