import EnvelopeFormat
import Testing

@testable import OpenerNSE

/// What the extension leaves for the app to fetch.
@Suite struct BundleNotesTests {
    @Test func keysAreCountedAndTakenOnce() throws {
        let container = try TemporaryContainer()
        let notes = BundleNotes(container.directory)
        let phone = try Phone()
        let (first, second) = (try phone.kid(1), try phone.kid(2))
        #expect(try notes.take().isEmpty)
        notes.add(first, at: 20)
        notes.add(second, at: 21)
        notes.add(nil, at: 22)
        notes.add(first, at: 10)
        #expect(
            try notes.take() == [
                BundleNote(kid: first, first: 20, last: 20, count: 2), BundleNote(kid: second, first: 21, last: 21, count: 1),
                BundleNote(kid: nil, first: 22, last: 22, count: 1),
            ])
        #expect(try notes.take().isEmpty)
    }

    @Test func theyAreBoundedAndWhatIsNoneIsPassedOver() throws {
        let container = try TemporaryContainer()
        let notes = BundleNotes(container.directory)
        let phone = try Phone()
        try container.directory.replace("bundle-needed.json", with: Array(#"{"bundle_needed":[{"kid":1},7]}"#.utf8))
        for epoch in 0..<100 { notes.add(try phone.kid(epoch), at: 1) }
        let (taken, first) = (try notes.take(), try phone.kid(0))
        #expect(taken.count == BundleNotes.limit && taken.first?.kid == first)
        try container.directory.replace("bundle-needed.json", with: Array("garbage".utf8))
        #expect(try notes.take().isEmpty)
    }
}
