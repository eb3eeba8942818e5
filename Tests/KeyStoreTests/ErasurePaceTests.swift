import EnvelopeFormat
import Testing

@testable import KeyStore

/// Who removes the bytes of deleted secrets, and when.
@Suite struct ErasurePaceTests {
    @Test func whoeverDeletedErasesAtOnce() {
        let pace = ErasurePace()
        #expect(pace.isDue(1, for: .shredder))
        pace.noteErasure(1)
        #expect(pace.isDue(2, for: .shredder))
    }

    @Test func aJobErasesNotWithEachTransaction() {
        let pace = ErasurePace()
        #expect(!pace.isDue(1, for: .job))
        #expect(!pace.isDue(2, for: .job))
    }

    @Test func whoPassesByErasesWhatNobodyElseWill() {
        let pace = ErasurePace()
        #expect(pace.isDue(1, for: .passerBy))
        pace.noteFailure()
        #expect(pace.isDue(1, for: .passerBy))
        pace.noteErasure(1)
        // Others are deleting.
        #expect(!pace.isDue(2, for: .passerBy))
        #expect(!pace.isDue(3, for: .passerBy))
        pace.noteFailure()
        #expect(pace.isDue(3, for: .passerBy))
    }

    private func rotating(_ body: (Scene, SealerStore, RotationRun) throws -> Void) throws {
        let scene = try Scene(.sealer)
        let sealer = try SealerStore(scene.store)
        let plans = try (0..<12).map {
            Provisioning(conversation: try ConversationIdentifier("chat-\($0)"), algorithm: .dir, members: [])
        }
        var made = 0
        while made < plans.count { made += try sealer.provision(Array(plans[made...]), now: scene.now).count }
        let run = try sealer.beginRotation(.ratchet, now: scene.now)
        #expect(try !sealer.rotateSome(run, now: scene.now, limit: 4).isLast)
        #expect(try scene.store.status(now: scene.now).erasurePending)
        try body(scene, sealer, run)
        #expect(try !scene.store.status(now: scene.now).erasurePending)
    }

    @Test func theLastTransactionOfAJobErases() throws {
        try rotating { scene, sealer, run in
            while try !sealer.rotateSome(run, now: scene.now, limit: 5).isLast {}
        }
    }

    @Test func anInterruptedJobIsErasedBehindByTheNextWriter() throws {
        try rotating { scene, _, _ in
            let other = try SealerStore(try scene.reopened())
            _ = try other.provision(try ConversationIdentifier("another"), algorithm: .dir, members: [], now: scene.now)
        }
    }

    @Test func anInterruptedJobErasesWhenItSaysSo() throws {
        try rotating { scene, _, _ in scene.store.eraseDeleted() }
    }
}
