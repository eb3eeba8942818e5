import EnvelopeFormat
import Foundation
import Synchronization

@testable import KeyStore

/// A sealer that leases one seal after another while something else is done to its store.
final class LeasesBeside: Sendable {
    private struct State {
        var count = 0
        var slowest = Duration.zero
        var failure: (any Error)?
        var isToEnd = false
        var isOver = false
    }

    private let sealer: SealerStore
    private let conversation: ConversationIdentifier
    private let now: Int64
    private let state = Mutex(State())

    init(_ sealer: SealerStore, _ conversation: ConversationIdentifier, now: Int64) {
        self.sealer = sealer
        self.conversation = conversation
        self.now = now
    }

    var count: Int { state.withLock(\.count) }

    /// Until it is to end, or fails.
    func run() {
        let clock = ContinuousClock()
        while !state.withLock(\.isToEnd) {
            let start = clock.now
            let outcome = Result {
                let kid = try sealer.sealingState(conversation, now: now).kid
                _ = try sealer.leaseSeals(kid, of: conversation, count: 1, now: now)
            }
            state.withLock { state in
                state.slowest = max(state.slowest, clock.now - start)
                switch outcome {
                case .success: state.count += 1
                case .failure(let error):
                    state.failure = error
                    state.isToEnd = true
                }
            }
        }
        state.withLock { $0.isOver = true }
    }

    /// Until the number of leases is as is asked.
    func wait(_ isEnough: (Int) -> Bool) throws { try wait(for: { isEnough($0.count) }) }

    /// How long the slowest took.
    func end() throws -> Duration {
        state.withLock { $0.isToEnd = true }
        try wait(for: { $0.isOver })
        return state.withLock(\.slowest)
    }

    private func wait(for isReached: (borrowing State) -> Bool) throws {
        let deadline = ContinuousClock.now + .seconds(60)
        while true {
            let (failure, isDone) = state.withLock { ($0.failure, isReached($0)) }
            if let failure { throw failure }
            if isDone { return }
            guard ContinuousClock.now < deadline else { throw KeyStoreError(.busy, "leases", "they take too long") }
            usleep(1_000)
        }
    }
}
