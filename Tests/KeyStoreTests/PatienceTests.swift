import EnvelopeFormat
import Testing

@testable import KeyStore

/// How long a writer waits that does not get its turn.
@Suite struct PatienceTests {
    @Test func itIsOfTheClockAndNotOfTheSteps() {
        let patience = Patience(.milliseconds(50))
        let start = ContinuousClock.now
        var count: Int32 = 0
        while patience.wait(count) { count += 1 }
        let waited = start.duration(to: .now)
        #expect(waited >= .milliseconds(50))
        // Steps of 2 ms that take longer are fewer.
        #expect(count <= 16 + 25)
        #expect(!patience.wait(0), "it is over for whatever comes next")
    }

    @Test func anOperationHasOneForAllItsTransactions() throws {
        try Patience.shared { () throws(KeyStoreError) in
            let first = Patience.forTransaction(.seconds(1))
            #expect(first === Patience.forTransaction(.seconds(2)))
            try Patience.shared { () throws(KeyStoreError) in #expect(first === Patience.forTransaction(.seconds(1))) }
        }
        #expect(Patience.forTransaction(.seconds(1)) !== Patience.forTransaction(.seconds(1)))
    }

    /// One that got no turn is not written down as refused: it would wait once more.
    @Test func whatWasBusyIsTriedOnce() throws {
        let scene = try Scene(.sealer)
        let sealer = try SealerStore(scene.store)
        let chat = try ConversationIdentifier.of("chat-1")
        let database = try RawDatabase(scene.database)
        try database.run("BEGIN IMMEDIATE")
        let start = ContinuousClock.now
        let error = failure { _ = try sealer.ratchet(chat, now: scene.now) }
        let waited = start.duration(to: .now)
        try database.run("ROLLBACK")
        #expect(error?.kind == .busy)
        #expect(waited >= Patience.standard && waited < Patience.standard * 1.9, "\(waited)")
        #expect(try scene.store.auditEntries(limit: 100).allSatisfy { $0.result == .done })
    }
}
