import EnvelopeFormat
import Glibc
import Synchronization
import Testing

@testable import KeyStore

@Suite struct LeaseTests {
    let scene: Scene
    let sealer: SealerStore
    let chat: ConversationIdentifier

    init() throws {
        (scene, sealer, chat, _) = try Scene.withConversation()
    }

    private var kid: KeyIdentifier {
        get throws { try #require(try sealer.conversation(chat).active) }
    }

    private func rows() throws -> [LeaseRow] {
        try scene.store.read { (rows) throws(KeyStoreError) in try rows.all(LeaseRow.self).map(\.record) }
    }

    private func leasedCount() throws -> Int64? {
        try sealer.conversation(chat).handles.first { $0.state == .active }?.leasedCount
    }

    /// Sets the counter as if so many had been leased.
    private func pretend(_ count: Int64) throws {
        let chat = chat
        try sealer.write(at: scene.now) { (life) throws(KeyStoreError) in
            var active = try life.conversation(chat).requireActive()
            active.record.leased = count
            try life.rows.update(&active)
        }
    }

    @Test func everyGrantIsARowThatSaysWhoHoldsIt() throws {
        let kid = try kid
        #expect(try sealer.leaseSeals(kid, of: chat, count: 5, now: scene.now) == 0..<5)
        #expect(try sealer.leaseSeals(kid, of: chat, count: 64, now: scene.now + 1) == 5..<69)
        let rows = try rows()
        #expect(rows.map(\.kid) == [kid, kid] && rows.map(\.first) == [0, 5] && rows.map(\.count) == [5, 64])
        #expect(rows.map(\.grantedAt) == [scene.now, scene.now + 1])
        #expect(rows.allSatisfy { $0.holder == LeaseHolder(user: Int64(geteuid()), process: Int64(getpid())) })
        #expect(try leasedCount() == 69)
        _ = try scene.store.status(verify: true, now: scene.now)
    }

    @Test func leasesDieWithTheirEpoch() throws {
        let first = try kid
        _ = try sealer.leaseSeals(first, of: chat, count: 100, now: scene.now)
        let second = try sealer.ratchet(chat, now: scene.now)
        #expect(try rows().isEmpty)
        #expect(try leasedCount() == 0)
        #expect(failure { _ = try sealer.leaseSeals(first, of: chat, count: 1, now: scene.now) }?.kind == .conflict)
        #expect(try sealer.leaseSeals(second, of: chat, count: 7, now: scene.now) == 0..<7)
        let third = try #require(try sealer.revoke(chat, now: scene.now).active)
        #expect(try rows().isEmpty)
        #expect(failure { _ = try sealer.leaseSeals(second, of: chat, count: 1, now: scene.now) }?.kind == .conflict)
        #expect(try sealer.leaseSeals(third, of: chat, count: 1, now: scene.now) == 0..<1)
    }

    /// The total is sealed into the handle's row, so that taking rows out of the table makes nothing be granted again.
    @Test func aMissingRowGrantsNothingTwice() throws {
        let kid = try kid
        _ = try sealer.leaseSeals(kid, of: chat, count: 10, now: scene.now)
        try RawDatabase(scene.database).run("DELETE FROM lease")
        #expect(try sealer.leaseSeals(kid, of: chat, count: 10, now: scene.now) == 10..<20)
    }

    @Test func aLeaseAboveTheLimitIsRefusedWhole() throws {
        let kid = try kid
        let all = 1 << 32
        #expect(failure { _ = try sealer.leaseSeals(kid, of: chat, count: all + 1, now: scene.now) }?.kind == .badInput)
        #expect(failure { _ = try sealer.leaseSeals(kid, of: chat, count: 0, now: scene.now) }?.kind == .badInput)
        _ = try sealer.leaseSeals(kid, of: chat, count: 2, now: scene.now)
        let refusal = failure { _ = try sealer.leaseSeals(kid, of: chat, count: all - 1, now: scene.now) }
        #expect(refusal?.kind == .refused && refusal?.reason == "2^32 seals are leased under \(kid)")
        #expect(try leasedCount() == 2)
        #expect(try sealer.leaseSeals(kid, of: chat, count: all - 2, now: scene.now) == 2..<(1 << 32))
    }

    @Test func aRatchetIsDueAt2To31AndComesByItself() throws {
        let kid = try kid
        try pretend((1 << 31) - 1)
        #expect(try sealer.sealingState(chat, now: scene.now).kid == kid)
        try pretend(1 << 31)
        #expect(try sealer.sealingState(chat, now: scene.now).kid == kid.at(epoch: kid.epoch + 1))
        #expect(try leasedCount() == 0)
        // A sealer with a lease of the old epoch in hand asks for more: it has to ask for the new epoch first.
        let next = try self.kid
        try pretend(1 << 31)
        #expect(failure { _ = try sealer.leaseSeals(next, of: chat, count: 1, now: scene.now) }?.kind == .conflict)
    }

    private final class Tally: Sendable {
        let granted = Mutex<[KeyIdentifier: [Range<Int64>]]>([:])
        let refused = Atomic<Int>(0)
    }

    /// Several threads over two open stores, as several processes have, with ratchets in between.
    @Test func leasesAreDisjointAndLeaveNoGap() async throws {
        let other = try SealerStore(try scene.reopened())
        let tally = Tally()
        let (sealer, chat, now) = (sealer, chat, scene.now)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<6 {
                group.addTask {
                    let store = worker.isMultiple(of: 2) ? sealer : other
                    var generator = SystemRandomNumberGenerator()
                    for round in 0..<40 {
                        if worker == 0, round % 8 == 7 { _ = try store.ratchet(chat, now: now) }
                        let kid = try store.sealingState(chat, now: now).kid
                        let count = Int.random(in: 1...5_000, using: &generator)
                        do {
                            let lease = try store.leaseSeals(kid, of: chat, count: count, now: now)
                            guard lease.count == count else { throw KeyStoreError(.damaged, "lease", "its size") }
                            tally.granted.withLock { $0[kid, default: []].append(lease) }
                        } catch let error as KeyStoreError {
                            guard error.kind == .conflict else { throw error }
                            tally.refused.add(1, ordering: .relaxed)
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
        let all = tally.granted.withLock { $0 }
        #expect(all.values.reduce(0) { $0 + $1.count } + tally.refused.load(ordering: .relaxed) == 240)
        #expect(all.count > 3)
        for (kid, leases) in all {
            var next: Int64 = 0
            for lease in leases.sorted(by: { $0.lowerBound < $1.lowerBound }) {
                #expect(lease.lowerBound == next, "\(kid): \(lease) where \(next) was next")
                next = lease.upperBound
            }
        }
        let last = try kid
        let standing = try rows().map { $0.first..<($0.first + $0.count) }
        #expect(Set(standing) == Set(all[last] ?? []))
        #expect(try leasedCount() == standing.map(\.upperBound).max() ?? 0)
    }
}
