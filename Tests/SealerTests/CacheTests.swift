import EnvelopeFormat
import KeyStore
import SealTestSupport
import Testing

@testable import Sealer

/// A seal that begins after a change returned never uses what was before it, whoever made the change.
@Suite struct CacheTests {
    enum Change: String, CaseIterable, Sendable {
        case ratchet, promote, revoke, memberRemoval, deviceRemoval
    }

    let backend: Backend
    let message: SealRequest
    let members: [DeviceThumbprint]
    let chat: ConversationIdentifier

    init() throws {
        backend = try Backend()
        (chat, members) = try backend.provision("chat", .dir, members: 3)
        message = try request(#"{"conversation":"chat","body":"B"}"#)
    }

    private func make(_ change: Change, in store: SealerStore, leaving: DeviceThumbprint) throws {
        switch change {
        case .ratchet: _ = try store.ratchet(chat, now: Backend.start)
        case .promote:
            _ = try store.rekey(chat, now: Backend.start)
            _ = try store.promote(chat, force: true, now: Backend.start)
        case .revoke: _ = try store.revoke(chat, now: Backend.start)
        case .memberRemoval: _ = try store.removeMember(leaving, from: chat, now: Backend.start)
        case .deviceRemoval: try store.removeDevice(leaving, now: Backend.start)
        }
    }

    private func make(_ change: Change, in worker: WorkerProcess) throws {
        let now = Backend.start
        switch change {
        case .ratchet: try worker.ask("ratchet \(now) chat")
        case .promote:
            try worker.ask("rekey \(now) chat")
            try worker.ask("promote \(now) chat")
        case .revoke: try worker.ask("revoke \(now) chat")
        case .memberRemoval, .deviceRemoval: try worker.ask("remove \(now) \(members[0])")
        }
    }

    @Test(arguments: Change.allCases) func aChangeInTheSameOrAnotherStoreIsSeenAtOnce(change: Change) throws {
        for (store, leaving) in zip([backend.store, try backend.reopened()], members) {
            let sealer = try backend.sealer(leasing: .doubling)
            let before = try sealer.seal(message, now: Backend.start)[0].kid
            #expect(try sealer.seal(message, now: Backend.start)[0].kid == before)
            try make(change, in: store, leaving: leaving)
            let after = try sealer.seal(message, now: Backend.start)[0].kid
            let expected = try backend.store.conversation(chat).active
            #expect(after != before && after == expected)
        }
    }

    @Test(arguments: Change.allCases) func aChangeInAnotherProcessIsSeenAtOnce(change: Change) throws {
        let sealer = try backend.sealer(leasing: .doubling)
        let worker = try WorkerProcess(store: backend.directory)
        let before = try sealer.seal(message, now: Backend.start)[0].kid
        let line = #"seal \#(Backend.start) {"conversation":"chat","body":"B"}"#
        #expect(try worker.ask(line).first?.split(separator: " ")[1] == before.description[...])
        try make(change, in: worker)
        let after = try sealer.seal(message, now: Backend.start)[0].kid
        #expect(after != before)
        #expect(try worker.ask(line).first?.split(separator: " ")[1] == after.description[...])
    }

    @Test func suspendingStopsEverybodyAndResumingGoesOn() throws {
        let sealers = [try backend.sealer(leasing: .doubling), try backend.sealer(over: try backend.reopened())]
        let kids = Set(try sealers.map { try $0.seal(message, now: Backend.start)[0].kid })
        _ = try backend.store.suspend(chat, now: Backend.start)
        let refused = SealingError.store(
            KeyStoreError(.refused, "conversation chat", "no active secret: it is suspended"))
        for sealer in sealers { #expect(sealingError { _ = try sealer.seal(message, now: Backend.start) } == refused) }
        _ = try backend.store.resume(chat, now: Backend.start)
        #expect(Set(try sealers.map { try $0.seal(message, now: Backend.start)[0].kid }) == kids)
    }

    @Test func aNewMemberGetsTheNextPayload() throws {
        let pair = try backend.provision("pair", .hpke7).conversation
        let sealer = try backend.sealer()
        let message = try request(#"{"conversation":"pair","body":"B"}"#)
        #expect(try sealer.seal(message, now: Backend.start).count == 1)
        let device = try backend.enroll(1)[0]
        _ = try backend.store.addMember(device, to: pair, now: Backend.start)
        #expect(try sealer.seal(message, now: Backend.start).compactMap(\.device).contains(device))
    }

    /// A rotation by age takes place between two seals, without anybody asking for it.
    @Test func anEpochThatIsTooOldIsLeft() throws {
        let sealer = try backend.sealer(leasing: .doubling)
        let old = try sealer.seal(message, now: Backend.start)[0].kid
        #expect(try sealer.seal(message, now: Backend.start + 30 * 86_400 - 1)[0].kid == old)
        let new = try sealer.seal(message, now: Backend.start + 30 * 86_400)[0].kid
        #expect(new == old.at(epoch: old.epoch + 1))
    }

    // MARK: Leases

    private func leased() throws -> Int64 {
        try #require(try backend.store.conversation(chat).handles.first { $0.state == .active }).leasedCount
    }

    @Test func aCommandLeasesWhatItSealsAndAServiceDoubles() throws {
        let command = try backend.sealer()
        for count in 1...3 {
            _ = try command.seal(message, now: Backend.start)
            #expect(try leased() == Int64(count))
        }
        var both = message
        both.platform = .both
        _ = try command.seal(both, now: Backend.start)
        #expect(try leased() == 5)
        let service = try backend.sealer(leasing: .doubling)
        var expected: Int64 = 5
        for lease in [64, 128, 256] {
            expected += Int64(lease)
            for _ in 0..<lease {
                _ = try service.seal(message, now: Backend.start)
                #expect(try leased() == expected)
            }
        }
    }

    /// What is refused leaves no row, whatever is wrong with it.
    @Test(arguments: ["device", "type", "limit", "room", "both", "aps"])
    func nothingIsLeasedForARefusedRequest(_ flaw: String) throws {
        var refused = message
        switch flaw {
        case "device": refused.device = "A"
        case "type": refused.type = "not a word"
        case "limit": refused.limit = 5_000
        case "room":
            refused.content.body = String(repeating: "x", count: 5_000)
            refused.overflow = .error
        case "both":
            refused.platform = .both
            refused.content.title = String(repeating: "x", count: 2_950)
            refused.limit = 4_096
            refused.content.data = [JSONMember("x", .string(String(repeating: "x", count: 200)))]
        default: refused.attributes = try RequestAttributes(.object([JSONMember("badge", .string("one"))]))
        }
        let sealer = try backend.sealer()
        #expect(formatError { _ = try sealer.seal(refused, now: Backend.start) } != nil)
        #expect(try leased() == 0)
    }

    /// What was left of a lease ends with its epoch: the next seal leases under the new one.
    @Test func aLeaseOfAnotherEpochIsNotUsed() throws {
        let service = try backend.sealer(leasing: .doubling)
        _ = try service.seal(message, now: Backend.start)
        _ = try backend.reopened().ratchet(chat, now: Backend.start)
        #expect(try leased() == 0)
        _ = try service.seal(message, now: Backend.start)
        #expect(try leased() == 64)
    }

    /// The ends of leases that the audit log knows of.
    private func leaseEnds() throws -> [String] {
        try backend.store.store.auditEntries(limit: 1_000).filter { $0.operation == .leaseEnd }.compactMap(\.reason)
    }

    @Test func aServiceSaysHowMuchOfALeaseItUsed() throws {
        let service = try backend.sealer(leasing: .doubling)
        for _ in 0..<70 { _ = try service.seal(message, now: Backend.start) }
        #expect(try leaseEnds() == [])
        // What was used up is told with the next lease, or when all are let go.
        try service.endLeases(now: Backend.start)
        #expect(try leaseEnds().sorted() == ["128 seals from 64: 6 used", "64 seals from 0: 64 used"])
        _ = try service.seal(message, now: Backend.start)
        #expect(try leased() == 256)
        try service.endLeases(now: Backend.start)
        try service.endLeases(now: Backend.start)
        #expect(try leaseEnds().count == 3 && leaseEnds().contains("64 seals from 192: 1 used"))
    }

    @Test func aSealerThatIsFreedSaysIt() throws {
        var service: PushSealer? = try backend.sealer(leasing: .doubling)
        for _ in 0..<5 { _ = try service?.seal(message, now: Backend.start) }
        service = nil
        #expect(try leaseEnds() == ["64 seals from 0: 5 used"])
    }

    /// Another conversation's rotation has the sealer forget its keys, and with them the lease.
    @Test func aLeaseThatIsForgottenIsToldWithTheNext() throws {
        let other = try backend.provision("other", .dir).conversation
        let service = try backend.sealer(leasing: .doubling)
        for _ in 0..<3 { _ = try service.seal(message, now: Backend.start) }
        _ = try backend.reopened().ratchet(other, now: Backend.start)
        for _ in 0..<2 { _ = try service.seal(message, now: Backend.start) }
        #expect(try leaseEnds() == ["64 seals from 0: 3 used"])
    }

    @Test func aLeaseThatEndsWithItsEpochIsUnreported() throws {
        let service = try backend.sealer(leasing: .doubling)
        _ = try service.seal(message, now: Backend.start)
        _ = try backend.reopened().ratchet(chat, now: Backend.start)
        _ = try service.seal(message, now: Backend.start)
        #expect(try leaseEnds() == ["64 seals from 0: unreported"])
    }

    @Test func aCommandsLeaseEndsAtOnce() throws {
        _ = try backend.sealer().seal(message, now: Backend.start)
        #expect(try leaseEnds() == ["1 seals from 0: all used at once"])
    }

    // MARK: Fork

    /// The child has neither its parent's keys nor what is left of its lease; with a store of its own it seals.
    @Test func aForkedChildHasNoCaches() throws {
        let worker = try WorkerProcess(store: backend.directory)
        let json = #"{"conversation":"chat","body":"B"}"#
        let parent = try worker.ask("seal \(Backend.start) \(json)")
        #expect(try leased() == 64)
        try worker.send("fork \(Backend.start) \(json)")
        // The child's first answer: a seal with the sealer it inherited.
        let inherited = #expect(throws: WorkerFailure.self) { try worker.answer() }
        #expect(inherited?.description.contains("it was opened before this process was forked") == true)
        let own = try worker.answer()
        #expect(try leased() == 128)
        try worker.answer()
        let after = try worker.ask("seal \(Backend.start) \(json)")
        #expect(try leased() == 128)
        let nonces = [parent, own, after].compactMap { $0.first?.split(separator: ".")[2] }
        #expect(Set(nonces).count == 3)
    }
}
