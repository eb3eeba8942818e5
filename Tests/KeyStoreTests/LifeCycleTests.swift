import CryptoPrimitives
import EnvelopeFormat
import Testing

@testable import KeyStore

@Suite struct LifeCycleTests {
    let scene: Scene
    let sealer: SealerStore
    let chat: ConversationIdentifier

    init() throws {
        scene = try Scene(.sealer)
        sealer = try SealerStore(scene.store)
        chat = try .of("chat-1")
    }

    private func enrolled(_ count: Int) throws -> [Phone] {
        try (0..<count).map { _ in
            let phone = Phone()
            _ = try sealer.enroll(try phone.document(), now: scene.now)
            return phone
        }
    }

    private func bundle(_ phone: Phone) throws -> PendingBundle {
        try #require(try sealer.pendingBundles(for: phone.thumbprint, now: scene.now).first)
    }

    private func acknowledgeAll(_ phone: Phone) throws {
        for bundle in try sealer.pendingBundles(for: phone.thumbprint, now: scene.now) {
            try sealer.acknowledge(device: phone.thumbprint, sequence: bundle.sequence, now: scene.now)
        }
    }

    @Test func provisioningActivatesAtOnceAndGivesEachMemberTheSecret() throws {
        let phones = try enrolled(2)
        let record = try sealer.provision(chat, algorithm: .dir, members: phones.map(\.thumbprint), now: scene.now)
        let state = try sealer.sealingState(chat, now: scene.now)
        #expect(record.active == state.kid && state.kid.epoch == 0)
        for phone in phones {
            let opened = try phone.open(try bundle(phone), now: scene.now)
            #expect(opened.kid == state.kid && opened.conversation == chat)
            guard case .conversation(let secret) = state.secret else { throw KeyStoreError(.damaged, "", "") }
            #expect(opened.secret.isSame(as: secret))
        }
        #expect(Set(state.members.map(\.thumbprint)) == Set(phones.map(\.thumbprint)))
        let again = failure { _ = try sealer.provision(chat, algorithm: .dir, members: [], now: scene.now) }
        #expect(again?.kind == .alreadyExists)
        let verified = try scene.store.status(verify: true, now: scene.now).verifiedRows
        #expect((verified ?? 0) > 15)
    }

    @Test func sealingToAnUnknownConversationLeavesNoRow() throws {
        let unknown = try ConversationIdentifier("chat-l")
        #expect(failure { _ = try sealer.sealingState(unknown, now: scene.now) }?.kind == .notFound)
        #expect(try sealer.conversations().isEmpty)
    }

    @Test func theLastAcknowledgementPromotes() throws {
        let phones = try enrolled(2)
        _ = try sealer.provision(chat, algorithm: .hpke7, members: phones.map(\.thumbprint), now: scene.now)
        for phone in phones { try acknowledgeAll(phone) }
        scene.now += 10
        let (active, waiting) = try sealer.rekey(chat, now: scene.now)
        #expect(try sealer.sealingState(chat, now: scene.now).kid == active)
        #expect(failure { _ = try sealer.rekey(chat, now: scene.now) }?.kind == .refused)
        try acknowledgeAll(phones[0])
        let refusal = failure { _ = try sealer.promote(chat, now: scene.now) }
        #expect(refusal?.kind == .refused && refusal?.reason == "not acknowledged by \(phones[1].thumbprint)")
        #expect(try sealer.sealingState(chat, now: scene.now).kid == active)
        let before = sealer.generation.read()
        try acknowledgeAll(phones[1])
        #expect(sealer.generation.read() != before)
        #expect(try sealer.sealingState(chat, now: scene.now).kid == waiting)
        let old = try #require(try sealer.conversation(chat).handles.first { $0.handle == active.handle })
        #expect(old.state == .deactivated && old.openUntil == scene.now + 35 * 86_400)
    }

    @Test func removingAMemberReplacesTheSecretAtOnce() throws {
        let phones = try enrolled(2)
        _ = try sealer.provision(chat, algorithm: .dir, members: phones.map(\.thumbprint), now: scene.now)
        let before = try sealer.sealingState(chat, now: scene.now).kid
        let record = try sealer.removeMember(phones[0].thumbprint, from: chat, now: scene.now)
        let state = try sealer.sealingState(chat, now: scene.now)
        #expect(state.kid.handle != before.handle && record.active == state.kid)
        #expect(state.members.map(\.thumbprint) == [phones[1].thumbprint])
        #expect(try sealer.pendingBundles(for: phones[0].thumbprint, now: scene.now).isEmpty)
        #expect(try sealer.pendingBundles(for: phones[1].thumbprint, now: scene.now).map(\.kid) == [state.kid])
        let empty = try sealer.removeMember(phones[1].thumbprint, from: chat, now: scene.now)
        #expect(empty.active == nil)
        #expect(failure { _ = try sealer.sealingState(chat, now: scene.now) }?.kind == .refused)
    }

    @Test func aRatchetStepsTheSecretAndKeepsNoOlderOne() throws {
        let phones = try enrolled(1)
        _ = try sealer.provision(chat, algorithm: .dir, members: phones.map(\.thumbprint), now: scene.now)
        let first = try phones[0].open(try bundle(phones[0]), now: scene.now)
        let kid = try sealer.ratchet(chat, now: scene.now)
        #expect(kid == first.kid.at(epoch: 1))
        guard case .conversation(let secret) = try sealer.sealingState(chat, now: scene.now).secret else {
            throw KeyStoreError(.damaged, "", "")
        }
        #expect(secret.isSame(as: first.secret.next(in: chat)))
        #expect(try !scene.store.status(now: scene.now).erasurePending)
    }
}
