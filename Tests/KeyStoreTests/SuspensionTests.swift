import EnvelopeFormat
import Testing

@testable import KeyStore

/// A conversation that an operator suspended stays so until the operator resumes it.
@Suite struct SuspensionTests {
    let scene: Scene
    let sealer: SealerStore
    let chat: ConversationIdentifier
    let phone = Phone()
    let old: KeyIdentifier
    let waiting: KeyIdentifier

    init() throws {
        scene = try Scene(.sealer)
        sealer = try SealerStore(scene.store)
        chat = try .of("chat-1")
        _ = try sealer.enroll(try phone.document(), now: scene.now)
        _ = try sealer.provision(chat, algorithm: .dir, members: [phone.thumbprint], now: scene.now)
        let kids = try sealer.rekey(chat, promoteAfter: 100, now: scene.now)
        old = kids.active
        waiting = try #require(kids.waiting)
        _ = try sealer.suspend(chat, now: scene.now)
    }

    private func acknowledgeAll(now: Int64) throws {
        for bundle in try sealer.pendingBundles(for: phone.thumbprint, now: now) {
            try sealer.acknowledge(device: phone.thumbprint, sequence: bundle.sequence, now: now)
        }
    }

    private func expectSuspended(now: Int64) throws {
        let refusal = failure { _ = try sealer.sealingState(chat, now: now) }
        #expect(refusal?.kind == .refused && refusal?.reason == "no active secret: it is suspended")
        #expect(failure { _ = try sealer.leaseSeals(old, of: chat, count: 1, now: now) }?.kind == .refused)
        let record = try sealer.conversation(chat)
        #expect(record.active == nil && record.waiting == waiting)
    }

    @Test func theLastAcknowledgementDoesNotUndoIt() throws {
        try acknowledgeAll(now: scene.now)
        try expectSuspended(now: scene.now)
        // What was held back takes place with the resumption.
        #expect(try sealer.resume(chat, now: scene.now).active == waiting)
        #expect(try sealer.sealingState(chat, now: scene.now).kid == waiting)
    }

    @Test func theTimerDoesNotUndoIt() throws {
        let later = scene.now + 101
        try expectSuspended(now: later)
        _ = try sealer.pendingBundles(for: phone.thumbprint, now: later)
        try expectSuspended(now: later)
        #expect(try sealer.resume(chat, now: later).active == waiting)
    }

    @Test func anOperatorsPromotionIsRefused() throws {
        for force in [false, true] {
            let refusal = failure { _ = try sealer.promote(chat, force: force, now: scene.now) }
            #expect(refusal?.kind == .refused && refusal?.reason == "it is suspended")
        }
        try expectSuspended(now: scene.now)
    }

    @Test func resumingWithoutAReasonToPromoteGoesOnUnderTheOldSecret() throws {
        #expect(try sealer.resume(chat, now: scene.now).active == old)
        #expect(try sealer.conversation(chat).waiting == waiting)
        #expect(try sealer.promote(chat, force: true, now: scene.now) == waiting)
    }

    /// As in a conversation that was not suspended, there is no active secret then.
    @Test func resumedWithNobodyInItThereIsNothingToSealUnder() throws {
        _ = try sealer.removeMember(phone.thumbprint, from: chat, now: scene.now)
        let resumed = try sealer.resume(chat, now: scene.now)
        #expect(resumed.active == nil && resumed.waiting == nil)
        #expect(resumed.handles.allSatisfy { $0.state == .deactivated || $0.state == .destroyed })
        let sealing = failure { _ = try sealer.sealingState(chat, now: scene.now) }
        #expect(sealing?.kind == .refused && sealing?.reason == "it has no member to seal to")
        let ratcheting = failure { _ = try sealer.ratchet(chat, now: scene.now) }
        #expect(ratcheting?.kind == .refused && ratcheting?.reason == "no active secret: it has no member")
        let record = try sealer.addMember(phone.thumbprint, to: chat, now: scene.now)
        let kid = try #require(record.active)
        #expect(!resumed.handles.contains { $0.handle == kid.handle })
        #expect(try sealer.pendingBundles(for: phone.thumbprint, now: scene.now).map(\.kid) == [kid])
    }

    @Test func itOutlivesTheLastMember() throws {
        _ = try sealer.removeMember(phone.thumbprint, from: chat, now: scene.now)
        let other = Phone()
        _ = try sealer.enroll(try other.document(), now: scene.now)
        let record = try sealer.addMember(other.thumbprint, to: chat, now: scene.now)
        #expect(record.active == nil && record.handles.contains { $0.state == .suspended })
        let refusal = failure { _ = try sealer.sealingState(chat, now: scene.now) }
        #expect(refusal?.reason == "no active secret: it is suspended")
        // With the resumption the new member gets what is sealed under, which nobody had before.
        let resumed = try #require(try sealer.resume(chat, now: scene.now).active)
        #expect(resumed.handle != old.handle && resumed.handle != waiting.handle)
        #expect(try sealer.pendingBundles(for: other.thumbprint, now: scene.now).map(\.kid) == [resumed])
        #expect(try sealer.sealingState(chat, now: scene.now).kid == resumed)
    }

    @Test func aDeviceReplacedMeanwhileDoesNotUndoIt() throws {
        let other = Phone()
        _ = try sealer.enroll(try other.document(), replaces: phone.thumbprint, now: scene.now)
        #expect(failure { _ = try sealer.sealingState(chat, now: scene.now) }?.reason == "no active secret: it is suspended")
        let resumed = try sealer.resume(chat, now: scene.now).active
        #expect(try sealer.sealingState(chat, now: scene.now).kid == resumed)
    }

    @Test func aSplitKeyIsNeverPromotedByResuming() throws {
        let alarms = try ConversationIdentifier("alarms")
        _ = try sealer.provision(alarms, algorithm: .split, members: [], until: scene.now + 1_000, now: scene.now)
        let kids = try sealer.rekey(alarms, now: scene.now)
        _ = try sealer.suspend(alarms, now: scene.now)
        let resumed = try sealer.resume(alarms, now: scene.now)
        #expect(resumed.active == kids.active && resumed.waiting == kids.waiting)
    }
}
