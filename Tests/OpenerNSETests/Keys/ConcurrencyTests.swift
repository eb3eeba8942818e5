import Dispatch
import EnvelopeFormat
import OpenerNSE
import TestSupport
import Testing

/// App and extension at once, on one keychain and one record.
@Suite struct ConcurrencyTests {
    private func together(_ count: Int, _ body: @Sendable (Int) -> Outcome) -> [Outcome] {
        let outcomes = Mutex<[Outcome]>([])
        DispatchQueue.concurrentPerform(iterations: count) { index in
            let outcome = body(index)
            outcomes.withLock { $0.append(outcome) }
        }
        return outcomes.withLock { $0 }
    }

    @Test(arguments: [KeyAlgorithm.dir, .hpke7]) func ofTheSameMessageOneIsFirst(_ algorithm: KeyAlgorithm) throws {
        for _ in 0..<TestAmount.rounds(10, slow: 500) {
            let phone = try Phone()
            try phone.hold(0, algorithm: algorithm)
            let message = try phone.message(1, algorithm, epoch: 3)
            let outcomes = together(8) { _ in phone.open(message).outcome }
            #expect(outcomes.filter { $0 == .opened }.count == 1)
            #expect(outcomes.filter { $0 == .duplicate }.count == 7)
            #expect(phone.keychain.heldEpochs(phone.handle) == [0, 3])
        }
    }

    /// Messages of many epochs in any order: all open, the newest is the highest, and each held epoch is on the chain.
    @Test func stepsOfTwo() throws {
        for _ in 0..<TestAmount.rounds(10, slow: 500) {
            let phone = try Phone()
            try phone.hold(0)
            let epochs = [5, 9, 1, 9, 30, 2, 12, 30]
            let messages = try epochs.enumerated().map { try phone.message(UInt8($0 + 1), epoch: $1) }
            let outcomes = together(messages.count) { phone.open(messages[$0]).outcome }
            #expect(outcomes.allSatisfy { $0 == .opened })
            let held = phone.keychain.heldEpochs(phone.handle)
            #expect(held.first == 0)
            #expect(held.last == 30)
            #expect(Set(held).count == held.count)
            #expect(Set(held).isSubset(of: epochs + [0]))
            for epoch in held {
                let kid = try phone.kid(epoch)
                #expect(
                    try phone.keychain.secret(of: kid).isSame(as: phone.secret.stepped(epoch, in: phone.conversation)))
                #expect(phone.keychain.held(kid)?.openUntil == (epoch == 30 ? nil : Phone.now + 35 * Phone.day))
            }
        }
    }

    /// Of bundles with one sequence number exactly one is installed.
    @Test func bundlesAtOnce() throws {
        let phone = try Phone()
        let bundles = try (1...8).map { try phone.bundle(handle: UInt8($0), sequence: 50) }
        let outcomes = together(bundles.count) { phone.accept(bundles[$0]).outcome }
        #expect(outcomes.filter { $0 == .installed }.count == 1)
        #expect(outcomes.filter { $0 == .replayed }.count == 7)
        #expect(phone.keychain.snapshot.count == 3)
    }
}
