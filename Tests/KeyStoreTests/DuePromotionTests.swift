import EnvelopeFormat
import Testing

@testable import KeyStore

/// A promotion whose time has come does not come between an operator and the secret that was sealed under until now.
@Suite struct DuePromotionTests {
    let scene: Scene
    let sealer: SealerStore
    let chat: ConversationIdentifier
    let phones = [Phone(), Phone()]
    let old: KeyIdentifier
    let waiting: KeyIdentifier
    let due: Int64

    init() throws {
        scene = try Scene(.sealer)
        sealer = try SealerStore(scene.store)
        chat = try .of("chat-1")
        for phone in phones { _ = try sealer.enroll(try phone.document(), now: scene.now) }
        _ = try sealer.provision(chat, algorithm: .dir, members: phones.map(\.thumbprint), now: scene.now)
        let kids = try sealer.rekey(chat, promoteAfter: 100, now: scene.now)
        old = kids.active
        waiting = try #require(kids.waiting)
        due = scene.now + 101
    }

    private func state(_ kid: KeyIdentifier) throws -> KeyState? {
        try sealer.conversation(chat).handles.first { $0.handle == kid.handle }?.state
    }

    /// The old one ended so, the waiting one is gone, and of neither is there a bundle to be had.
    private func expectBothEnded(_ end: KeyState) throws {
        #expect(try state(old) == end && state(waiting) == .destroyed)
        let record = try sealer.conversation(chat)
        let fresh = try #require(record.active)
        #expect(fresh.handle != old.handle && fresh.handle != waiting.handle && record.waiting == nil)
        for member in record.members {
            let pending = try sealer.pendingBundles(for: member.device, now: due)
            #expect(pending.map(\.kid) == [fresh])
        }
    }

    @Test func aRevocationHitsWhatWasSealedUnder() throws {
        _ = try sealer.revoke(chat, now: due)
        try expectBothEnded(.compromised)
    }

    @Test func aRevocationByHandleDoesSo() throws {
        _ = try sealer.revoke(chat, handle: old.handle, now: due)
        try expectBothEnded(.compromised)
    }

    @Test func aRevocationAfterASuspensionDoesSo() throws {
        _ = try sealer.suspend(chat, now: due)
        #expect(try state(old) == .suspended && state(waiting) == .preActivation)
        _ = try sealer.revoke(chat, now: due)
        #expect(try state(old) == .compromised && state(waiting) == .destroyed)
    }

    @Test func aRemovedMemberTakesTheOldOneWithIt() throws {
        _ = try sealer.removeMember(phones[0].thumbprint, from: chat, now: due)
        try expectBothEnded(.deactivated)
    }

    @Test func aRemovedOrReplacedDeviceDoesSo() throws {
        _ = try sealer.enroll(try Phone().document(), replaces: phones[0].thumbprint, now: due)
        try expectBothEnded(.deactivated)
    }

    @Test func nothingIsPromotedByItselfWhileAMemberIsBeingRemoved() throws {
        try sealer.write(at: due) { (life) throws(KeyStoreError) in
            try life.beginRemoval(of: phones[0].thumbprint)
        }
        #expect(failure { _ = try sealer.sealingState(chat, now: due) }?.kind == .refused)
        _ = try sealer.pendingBundles(for: phones[1].thumbprint, now: due)
        #expect(try state(old) == .active && state(waiting) == .preActivation)
        try sealer.removeDevice(phones[0].thumbprint, now: due)
        try expectBothEnded(.deactivated)
    }

    @Test func whatGoesOnSealingPromotesFirst() throws {
        #expect(try sealer.sealingState(chat, now: due).kid == waiting)
        #expect(try state(old) == .deactivated)
    }

    @Test func retiringIsRefusedWhileItWaits() throws {
        #expect(failure { _ = try sealer.retire(chat, now: due) }?.reason.contains("is waiting") == true)
        _ = try sealer.retire(chat, force: true, now: due)
        #expect(try state(old) == .deactivated && state(waiting) == .destroyed)
    }
}
