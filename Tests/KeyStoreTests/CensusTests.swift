import EnvelopeFormat
import Testing

@testable import KeyStore

/// What depends on a secret is found, told with names and times, and stands in the way until it does not.
@Suite struct CensusTests {
    private static let day: Int64 = 86_400
    let scene: Scene
    let sealer: SealerStore
    let chat: ConversationIdentifier
    let phone: Phone

    init() throws { (scene, sealer, chat, phone) = try Scene.withConversation() }

    private func active() throws -> KeyIdentifier { try #require(try sealer.conversation(chat).active) }

    private func acknowledge(_ phone: Phone) throws {
        for bundle in try sealer.pendingBundles(for: phone.thumbprint, now: scene.now) {
            try sealer.acknowledge(device: phone.thumbprint, sequence: bundle.sequence, now: scene.now)
        }
    }

    private func secret(_ handle: Handle) throws -> Census.Secret {
        try #require(try sealer.census(chat, now: scene.now).secrets.first { $0.handle == handle })
    }

    @Test func retiringWaitsForEveryDeviceAndForARekey() throws {
        let handle = try active().handle
        let other = Phone()
        _ = try sealer.enroll(try other.document(), now: scene.now)
        _ = try sealer.addMember(other.thumbprint, to: chat, now: scene.now)
        try acknowledge(phone)
        let error = failure { _ = try sealer.retire(chat, now: scene.now) }
        #expect(error?.kind == .refused && error?.subject == "conversation chat-1" && error?.hint != nil)
        #expect(error?.reason == "device \(other.thumbprint) has not acknowledged \(handle)")
        #expect(try secret(handle).notAcknowledged == [other.thumbprint])
        try acknowledge(other)
        let waiting = try #require(try sealer.rekey(chat, now: scene.now).waiting)
        #expect(failure { _ = try sealer.retire(chat, now: scene.now) }?.reason == "a rekey to \(waiting.handle) is waiting")
        #expect(try sealer.census(chat, now: scene.now).members.map(\.pending) == [[waiting], [waiting]])
        _ = try sealer.rekey(chat, restart: true, now: scene.now)
        let record = try sealer.retire(chat, force: true, now: scene.now)
        #expect(record.active == nil && record.waiting == nil)
        #expect(Set(record.handles.map(\.state)) == [.deactivated, .destroyed])
        #expect(failure { _ = try sealer.sealingState(chat, now: scene.now) }?.reason == "no active secret: it was retired")
        #expect(failure { _ = try sealer.retire(chat, now: scene.now) }?.reason == "no active secret: it was retired")
    }

    @Test func destroyingWaitsForPushesOnTheirWayAndForDevicesThatOpenThem() throws {
        let kid = try active()
        try acknowledge(phone)
        _ = try sealer.leaseSeals(kid, of: chat, count: 1, now: scene.now)
        _ = try sealer.retire(chat, now: scene.now + Self.day)
        let start = scene.now
        let deactivated = start + Self.day
        scene.now = deactivated
        #expect(try secret(kid.handle).usedUntil == start)
        #expect(try secret(kid.handle).storedUntil == start + 30 * Self.day)
        #expect(try secret(kid.handle).openUntil == deactivated + 35 * Self.day)
        let error = failure { _ = try sealer.destroy(chat, now: scene.now) }
        let stored = Timestamp.text(start + 30 * Self.day)
        let open = Timestamp.text(deactivated + 35 * Self.day)
        #expect(
            error?.reason == "pushes sealed under \(kid.handle) may be stored until \(stored); "
                + "devices open what was sealed under \(kid.handle) until \(open)")
        scene.now = start + 30 * Self.day + 1
        #expect(
            failure { _ = try sealer.destroy(chat, now: scene.now) }?.reason
                == "devices open what was sealed under \(kid.handle) until \(open)")
        scene.now = deactivated + 35 * Self.day
        #expect(failure { _ = try sealer.destroy(chat, now: scene.now) }?.kind == .refused)
        scene.now += 1
        #expect(try secret(kid.handle).dependents == [])
        #expect(try sealer.destroy(chat, now: scene.now).handles.map(\.state) == [.destroyed])
    }

    @Test func destroyingWaitsForADeviceWithNothingLater() throws {
        let first = try active()
        try acknowledge(phone)
        let record = try sealer.revoke(chat, now: scene.now)
        scene.now += 31 * Self.day
        let error = failure { _ = try sealer.destroy(chat, now: scene.now) }
        #expect(error?.reason == "device \(phone.thumbprint) has acknowledged nothing later than \(first.handle)")
        try acknowledge(phone)
        let after = try sealer.destroy(chat, now: scene.now)
        #expect(after.active?.handle == record.active?.handle)
        #expect(after.handles.first { $0.handle == first.handle }?.state == .destroyed)
    }

    @Test func forceOverridesTheCensusAndNeverTheStates() throws {
        let kid = try active()
        let error = failure { _ = try sealer.destroy(chat, force: true, now: scene.now) }
        #expect(error?.reason == "a key that is active cannot become destroyed")
        #expect(error?.hint == "retire it first: keyctl retire --conversation \(chat)")
        _ = try sealer.retire(chat, force: true, now: scene.now)
        #expect(try sealer.destroy(chat, handle: kid.handle, force: true, now: scene.now).handles[0].state == .destroyed)
        let absent = try Handle(bytes: [UInt8](repeating: 9, count: 12))
        #expect(failure { _ = try sealer.destroy(chat, handle: absent, now: scene.now) }?.kind == .notFound)
        #expect(failure { _ = try sealer.destroy(chat, now: scene.now) }?.reason == "it has no secret to destroy")
    }

    /// A daemon seals from its lease until the epoch ends; a lease of one is used as it is granted.
    @Test func aLeaseInStockCountsAsUseUntilItsEpochEnds() throws {
        let kid = try active()
        #expect(try secret(kid.handle).usedUntil == nil)
        _ = try sealer.leaseSeals(kid, of: chat, count: 1, now: scene.now)
        let start = scene.now
        scene.now += 10
        #expect(try secret(kid.handle).usedUntil == start)
        _ = try sealer.leaseSeals(kid, of: chat, count: 64, now: scene.now)
        scene.now += 10
        #expect(try secret(kid.handle).usedUntil == scene.now)
        _ = try sealer.ratchet(chat, now: scene.now)
        let ended = scene.now
        scene.now += 10
        #expect(try secret(kid.handle).usedUntil == ended)
        _ = try sealer.retire(chat, force: true, now: scene.now)
        #expect(try secret(kid.handle).usedUntil == ended)
    }

    @Test func sealedWithoutLeasesItCountsAsUsedUntilItEnds() throws {
        let each = try ConversationIdentifier("each")
        let kid = try #require(
            try sealer.provision(each, algorithm: .hpke7, members: [phone.thumbprint], now: scene.now).active)
        scene.now += 100
        #expect(try sealer.census(each, now: scene.now).secrets[0].usedUntil == scene.now)
        let ended = scene.now
        _ = try sealer.revoke(each, handle: kid.handle, now: scene.now)
        scene.now += 100
        let secret = try #require(try sealer.census(each, now: scene.now).secrets.first { $0.handle == kid.handle })
        #expect(secret.usedUntil == ended)
        _ = try sealer.destroy(each, handle: kid.handle, force: true, now: scene.now)
        let after = try #require(try sealer.census(each, now: scene.now).secrets.first { $0.handle == kid.handle })
        #expect(after.usedUntil == ended)
    }

    /// A store from before uses were recorded: the end is all that is known.
    @Test func whatIsNotKnownCountsAsUsed() throws {
        let kid = try active()
        _ = try sealer.leaseSeals(kid, of: chat, count: 1, now: scene.now)
        try RawDatabase(scene.database).run("DELETE FROM handle_use")
        scene.now += 50
        #expect(try secret(kid.handle).usedUntil == scene.now)
        _ = try sealer.retire(chat, force: true, now: scene.now)
        #expect(try secret(kid.handle).usedUntil == scene.now)
    }

    @Test func aMemberAddedLaterBeginsAFreshSecret() throws {
        let old = try active()
        _ = try sealer.retire(chat, force: true, now: scene.now)
        let other = Phone()
        _ = try sealer.enroll(try other.document(), now: scene.now)
        let record = try sealer.addMember(other.thumbprint, to: chat, now: scene.now)
        let fresh = try #require(record.active)
        #expect(fresh.handle != old.handle)
        for device in [phone, other] {
            #expect(try sealer.pendingBundles(for: device.thumbprint, now: scene.now).map(\.kid).contains(fresh))
        }
    }

    /// All in one second, and handles are drawn at random: what has ended is before what took its place.
    @Test func secretsAreInTheOrderInWhichTheyWereMade() throws {
        for number in 0..<8 {
            let chat = try ConversationIdentifier("order-\(number)")
            _ = try sealer.provision(chat, algorithm: .dir, members: [phone.thumbprint], now: scene.now)
            _ = try sealer.revoke(chat, now: scene.now)
            _ = try sealer.rekey(chat, now: scene.now)
            let states: [KeyState] = [.compromised, .active, .preActivation]
            #expect(try sealer.conversation(chat).handles.map(\.state) == states)
            #expect(try sealer.census(chat, now: scene.now).secrets.map(\.state) == states)
        }
    }
}
