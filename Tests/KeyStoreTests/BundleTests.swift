import CryptoPrimitives
import EnvelopeFormat
import Testing

@testable import KeyStore

@Suite struct BundleTests {
    let scene: Scene
    let sealer: SealerStore
    let chat: ConversationIdentifier
    let phone: Phone

    init() throws {
        (scene, sealer, chat, phone) = try Scene.withConversation(maximumAge: 3_000 * 86_400)
    }

    private func pending() throws -> [PendingBundle] {
        try sealer.pendingBundles(for: phone.thumbprint, now: scene.now)
    }

    private func acknowledge(_ sequence: Int64) throws {
        try sealer.acknowledge(device: phone.thumbprint, sequence: sequence, now: scene.now)
    }

    @Test func theSameBytesUntilAcknowledged() throws {
        let first = try pending()
        scene.now += 100
        #expect(try pending() == first && first.count == 1)
        #expect(first[0].sequence == Scene.start)
        try acknowledge(first[0].sequence)
        try acknowledge(first[0].sequence)
        #expect(try pending().isEmpty)
        let database = try RawDatabase(scene.database)
        #expect(try database.text("SELECT count(*) FROM bundle WHERE content IS NULL") == "1")
        #expect(try sealer.conversation(chat).members[0].acknowledged == first[0].kid)
    }

    @Test func whatWasNeverIssuedCannotBeAcknowledged() throws {
        for sequence in [Scene.start - 1, Scene.start + 1, 0, -1, .max, .min] {
            #expect(failure { try acknowledge(sequence) }?.kind == .notFound)
        }
        let stranger = Phone().thumbprint
        let error = failure { try sealer.acknowledge(device: stranger, sequence: Scene.start, now: scene.now) }
        #expect(error?.kind == .notFound)
        #expect(failure { _ = try sealer.pendingBundles(for: stranger, now: scene.now) }?.kind == .notFound)
    }

    @Test func anExpiredBundleIsIssuedAnewWithThePresentSecret() throws {
        let first = try #require(try pending().first)
        let kid = try sealer.ratchet(chat, now: scene.now)
        scene.now += 30 * 86_400 - 1
        #expect(try pending() == [first])
        scene.now += 1
        let second = try #require(try pending().first)
        #expect(second.kid == kid && second.sequence == scene.now)
        let opened = try phone.open(second, now: scene.now)
        #expect(opened.validity.end == scene.now + 30 * 86_400)
        #expect(try pending() == [second])
    }

    @Test func aBundleFromTheFutureIsIssuedAnew() throws {
        let other = try ConversationIdentifier("chat-2")
        let future = scene.now + 601
        _ = try sealer.provision(other, algorithm: .dir, members: [phone.thumbprint], now: future)
        let before = try sealer.pendingBundles(for: phone.thumbprint, now: scene.now + 1)
        #expect(before.count == 2)
        let ahead = try #require(before.last)
        let after = try pending()
        #expect(after.first == before.first && after.count == 2)
        let anew = try #require(after.last)
        #expect(anew.conversation == other && anew.sequence == ahead.sequence + 1)
        #expect(try phone.open(anew, now: scene.now).validity.issuedAt == scene.now)
        #expect(try pending() == after)
    }

    @Test func aMemberFarBehindIsGivenTheEpochOfNowAt384() throws {
        let first = try #require(try pending().first)
        try acknowledge(first.sequence)
        for _ in 0..<383 { _ = try sealer.ratchet(chat, now: scene.now) }
        #expect(try pending().isEmpty)
        let kid = try sealer.ratchet(chat, now: scene.now)
        #expect(kid.epoch == 384)
        let second = try pending()
        #expect(second.map(\.kid) == [kid] && second[0].sequence == first.sequence + 1)
        let secret = try phone.open(first, now: scene.now).secret.stepped(384, in: chat)
        #expect(try phone.open(second[0], now: scene.now).secret.isSame(as: secret))
        try acknowledge(second[0].sequence)
        #expect(try pending().isEmpty)
    }

    /// Whoever was away for all of them, and takes its bundles then, has a way to each epoch from the 384th on.
    @Test func aRatchetIssuesTheBundleThatADeviceWhichWasAwayWillNeed() throws {
        for _ in 0..<515 { _ = try sealer.ratchet(chat, now: scene.now) }
        let bundles = try pending()
        #expect(bundles.map(\.kid.epoch) == [0, 384] && bundles[0].sequence < bundles[1].sequence)
        let opened = try bundles.map { try phone.open($0, now: scene.now).secret }
        #expect(opened[1].isSame(as: opened[0].stepped(384, in: chat)))
        guard case .conversation(let present) = try sealer.sealingState(chat, now: scene.now).secret else {
            throw KeyStoreError(.damaged, "", "")
        }
        #expect(present.isSame(as: opened[1].stepped(131, in: chat)))
        #expect(try pending() == bundles)
        try acknowledge(bundles[1].sequence)
        #expect(try pending().isEmpty)
        try acknowledge(bundles[0].sequence)
        #expect(try sealer.conversation(chat).members[0].acknowledged == bundles[1].kid)
    }

    @Test(arguments: [true, false]) func aRatchetByItselfIssuesItToo(byAge: Bool) throws {
        for _ in 0..<383 { _ = try sealer.ratchet(chat, now: scene.now) }
        #expect(try RawDatabase(scene.database).text("SELECT count(*) FROM bundle") == "1")
        if byAge {
            scene.now += 3_000 * 86_400
        } else {
            try sealer.write(at: scene.now) { (life) throws(KeyStoreError) in
                var active = try life.conversation(chat).requireActive()
                active.record.leased = Cryptoperiod.ratchetAtSeals
                try life.rows.update(&active)
            }
        }
        #expect(try sealer.sealingState(chat, now: scene.now).kid.epoch == 384)
        let epochs = try RawDatabase(scene.database).texts(
            "SELECT epoch FROM bundle WHERE state = 'pending' ORDER BY sequence")
        #expect(epochs == ["0", "384"])
    }

    @Test func lowerOnesAreIssuedAnewWhenAHigherIsAcknowledged() throws {
        let other = try ConversationIdentifier("chat-2")
        _ = try sealer.provision(other, algorithm: .hpke7, members: [phone.thumbprint], now: scene.now)
        let before = try pending()
        #expect(before.map(\.sequence) == [Scene.start, Scene.start + 1])
        try acknowledge(before[1].sequence)
        let after = try pending()
        #expect(after.map(\.sequence) == [Scene.start + 2] && after[0].kid == before[0].kid)
        #expect(after[0].conversation == chat && after[0].bundle != before[0].bundle)
        try acknowledge(before[0].sequence)
        #expect(try sealer.conversation(chat).members[0].acknowledged == before[0].kid)
    }

    @Test func theSequenceGoesOnWhenADeviceComesBack() throws {
        let last = try #require(try pending().last).sequence
        try sealer.removeDevice(phone.thumbprint, now: scene.now)
        #expect(try sealer.devices().isEmpty)
        scene.now -= 50
        #expect(try sealer.enroll(try phone.document(), now: scene.now).isNew == true)
        _ = try sealer.addMember(phone.thumbprint, to: chat, now: scene.now)
        #expect(try pending().map(\.sequence) == [last + 1])
    }

    @Test func aRestartedRekeyWithdrawsItsBundles() throws {
        try acknowledge(Scene.start)
        let (active, first) = try sealer.rekey(chat, now: scene.now)
        let withdrawn = try #require(try pending().first)
        #expect(withdrawn.kid == first)
        let (_, second) = try sealer.rekey(chat, restart: true, now: scene.now)
        #expect(try pending().map(\.kid) == [second])
        try acknowledge(withdrawn.sequence)
        #expect(try sealer.sealingState(chat, now: scene.now).kid == active)
        let handles = try sealer.conversation(chat).handles
        #expect(handles.first { $0.handle == first?.handle }?.state == .destroyed)
        try acknowledge(try #require(try pending().first).sequence)
        #expect(try sealer.sealingState(chat, now: scene.now).kid == second)
    }

    @Test func anAcknowledgementOfTheOldSecretDoesNotUndoThatOfTheWaitingOne() throws {
        let other = Phone()
        _ = try sealer.enroll(try other.document(), now: scene.now)
        _ = try sealer.addMember(other.thumbprint, to: chat, now: scene.now)
        let old = try #require(try pending().first)
        let (_, waiting) = try sealer.rekey(chat, now: scene.now)
        let new = try #require(try pending().last)
        #expect(new.kid == waiting)
        try acknowledge(new.sequence)
        let again = try #require(try pending().first)
        #expect(again.kid == old.kid)
        try acknowledge(again.sequence)
        #expect(try sealer.conversation(chat).members.first { $0.device == phone.thumbprint }?.acknowledged == waiting)
    }

    @Test func aPromotionDueIsMadeByWhoeverComesNext() throws {
        let (active, waiting) = try sealer.rekey(chat, promoteAfter: 3_600, now: scene.now)
        scene.now += 3_599
        #expect(try sealer.sealingState(chat, now: scene.now).kid == active)
        scene.now += 1
        #expect(try sealer.sealingState(chat, now: scene.now).kid == waiting)
        #expect(try pending().contains { $0.kid == waiting })
    }
}
