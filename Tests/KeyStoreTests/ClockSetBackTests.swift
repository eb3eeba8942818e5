import EnvelopeFormat
import Testing

@testable import KeyStore

/// The clock of the backend is set back by a day, once something was done by the later one.
@Suite struct ClockSetBackTests {
    private static let day: Int64 = 86_400
    let scene: Scene
    let sealer: SealerStore
    let chat: ConversationIdentifier
    let phone: Phone

    init() throws { (scene, sealer, chat, phone) = try Scene.withConversation() }

    private func kid() throws -> KeyIdentifier { try sealer.sealingState(chat, now: scene.now).kid }

    private func pending() throws -> [PendingBundle] { try sealer.pendingBundles(for: phone.thumbprint, now: scene.now) }

    private func acknowledgeAll() throws {
        for bundle in try pending() {
            try sealer.acknowledge(device: phone.thumbprint, sequence: bundle.sequence, now: scene.now)
        }
    }

    /// Sealing goes on; the epoch of the later clock is left once, and the next by the present clock.
    @Test func sealingGoesOnAndRotatesOnce() throws {
        let first = try kid()
        let second = try #require(first.at(epoch: 1))
        scene.now -= Self.day
        for _ in 0..<3 { #expect(try kid() == second) }
        #expect(try sealer.leaseSeals(second, of: chat, count: 2, now: scene.now) == 0..<2)
        scene.now += 30 * Self.day - 1
        #expect(try kid() == second)
        scene.now += 1
        #expect(try kid() == first.at(epoch: 2))
    }

    /// No number of a seal is given twice, whatever the clock says.
    @Test func leasesGoOn() throws {
        let first = try kid()
        #expect(try sealer.leaseSeals(first, of: chat, count: 5, now: scene.now) == 0..<5)
        scene.now -= 600
        #expect(try sealer.leaseSeals(first, of: chat, count: 5, now: scene.now) == 5..<10)
    }

    @Test func rotatingByAgeTakesTheEpochForOldOnce() throws {
        scene.now -= Self.day
        var run = try sealer.beginRotation(.ratchet, olderThan: 10 * Self.day, now: scene.now)
        #expect(try sealer.rotateSome(run, now: scene.now).rotated.map(\.active.epoch) == [1])
        run = try sealer.beginRotation(.ratchet, olderThan: 10 * Self.day, now: scene.now)
        #expect(try sealer.rotateSome(run, now: scene.now).rotated.isEmpty)
    }

    /// A bundle that would not be valid yet is issued anew, and its number is above all before.
    @Test func bundlesAreIssuedAnewAndTheirNumbersGoUp() throws {
        let before = try #require(try pending().first)
        scene.now -= Self.day
        let after = try pending()
        #expect(after.count == 1 && after[0].sequence == before.sequence + 1 && after[0].kid.handle == before.kid.handle)
        #expect(try phone.open(after[0], now: scene.now).validity.issuedAt == scene.now)
        #expect(try pending() == after)
        try sealer.acknowledge(device: phone.thumbprint, sequence: after[0].sequence, now: scene.now)
        #expect(try pending().isEmpty)
    }

    /// Whoever installed the bundle of the later clock acknowledges it all the same.
    @Test func theBundleOfTheLaterClockIsAcknowledged() throws {
        let before = try #require(try pending().first)
        scene.now -= Self.day
        try sealer.acknowledge(device: phone.thumbprint, sequence: before.sequence, now: scene.now)
        #expect(try pending().isEmpty)
        #expect(try sealer.conversation(chat).members[0].acknowledged == before.kid)
    }

    /// The last use is the latest ever seen: nothing is destroyed a day early.
    @Test func theCensusForgetsNothing() throws {
        let first = try kid()
        try acknowledgeAll()
        _ = try sealer.leaseSeals(first, of: chat, count: 1, now: scene.now)
        let latest = scene.now
        scene.now -= Self.day
        _ = try sealer.leaseSeals(try kid(), of: chat, count: 1, now: scene.now)
        _ = try sealer.revoke(chat, now: scene.now)
        try acknowledgeAll()
        let secret = try #require(
            try sealer.census(chat, now: scene.now).secrets.first { $0.handle == first.handle })
        #expect(secret.usedUntil == latest && secret.storedUntil == latest + 30 * Self.day)
        #expect(failure { _ = try sealer.destroy(chat, now: latest + 30 * Self.day) }?.kind == .refused)
        _ = try sealer.destroy(chat, now: latest + 30 * Self.day + 1)
    }

    /// A bounded wait ends when the clock comes to its time again: not before, and not never.
    @Test func aPromotionComesAtItsTime() throws {
        try acknowledgeAll()
        let first = try kid()
        let waiting = try #require(try sealer.rekey(chat, promoteAfter: 3_600, now: scene.now).waiting)
        let due = scene.now + 3_600
        scene.now -= Self.day
        #expect(try kid().handle == first.handle)
        scene.now = due - 1
        #expect(try kid().handle == first.handle)
        scene.now = due
        #expect(try kid() == waiting)
    }

    /// The end of a secret stays as it was, and that of one deactivated now outlasts every push sealed under it.
    @Test func endsStay() throws {
        let first = try kid()
        try acknowledgeAll()
        _ = try sealer.rekey(chat, now: scene.now)
        _ = try sealer.promote(chat, force: true, now: scene.now)
        let end = scene.now + 35 * Self.day
        scene.now -= Self.day
        let second = try kid()
        _ = try sealer.leaseSeals(second, of: chat, count: 1, now: scene.now)
        _ = try sealer.rekey(chat, now: scene.now)
        _ = try sealer.promote(chat, force: true, now: scene.now)
        let handles = try sealer.conversation(chat).handles
        #expect(handles.first { $0.handle == first.handle }?.openUntil == end)
        #expect(handles.first { $0.handle == second.handle }?.openUntil == scene.now + 35 * Self.day)
        let census = try sealer.census(chat, now: scene.now)
        for secret in census.secrets where secret.state == .deactivated {
            #expect(secret.storedUntil ?? 0 < secret.openUntil ?? 0)
        }
    }

    @Test func statesMoveAsEver() throws {
        let first = try kid()
        _ = try sealer.suspend(chat, now: scene.now)
        scene.now -= Self.day
        _ = try sealer.resume(chat, now: scene.now)
        #expect(try kid().handle == first.handle)
        let record = try sealer.revoke(chat, now: scene.now)
        #expect(record.active != nil && record.active?.handle != first.handle)
        try acknowledgeAll()
        #expect(try sealer.retire(chat, now: scene.now).active == nil)
        _ = try scene.store.status(verify: true, now: scene.now)
    }
}
