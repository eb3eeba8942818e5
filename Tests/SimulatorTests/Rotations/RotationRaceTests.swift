import EnvelopeFormat
import KeyStore
import SealTestSupport
import Simulator
import Testing

/// Every kind of rotation with every order of delivery: what was sealed before, during and after opens once the phone had
/// one more round of bundles.
@Suite struct RotationRaceTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let kind: RotationKind
        let order: DeliveryOrder
        let algorithm: KeyAlgorithm

        var testDescription: String { "\(kind.rawValue), \(order.rawValue), \(algorithm.rawValue)" }
    }

    private static let cases = RotationKind.allCases.flatMap { kind in
        DeliveryOrder.allCases.flatMap { order in
            [KeyAlgorithm.dir, .hpke7].map { Case(kind: kind, order: order, algorithm: $0) }
        }
    }

    @Test(arguments: cases) func everyPushOpens(of race: Case) throws {
        let (kind, order) = (race.kind, race.order)
        let scene = try RotationScene(race.algorithm)
        var pushes = try scene.seal("before")
        let handles = Dictionary(uniqueKeysWithValues: pushes.map { ($0.conversation.string, $0.kid.handle) }.uniqued())

        for chat in scene.chats { try kind.begin(chat, scene) }
        if order != .late { try scene.deliver(to: scene.phone, order) }
        if kind.sealsDuring { pushes += try scene.seal("during") } else { try scene.expectRefusal("suspended") }

        for chat in scene.chats { try kind.complete(chat, scene) }
        if kind != .deviceRemoved { try scene.deliver(to: scene.other, .early) }
        if kind == .memberAdded, order != .late { try scene.deliver(to: scene.joining, order) }
        if order != .late { try scene.deliver(to: scene.phone, order) }
        var after: [RotationScene.Push] = []
        if kind.sealsAfter { after = try scene.seal("after") } else { try scene.expectRefusal("retired") }
        pushes += after

        if order == .late {
            // They come while the phone has not got the bundles: they open, or show the placeholder.
            for push in scene.arriving(pushes, at: scene.phone) {
                let outcome = scene.phone.open(push.payload, now: scene.now, remembers: false).outcome
                let isOfKnown = push.kid.handle == handles[push.conversation.string]
                #expect(outcome == (isOfKnown ? .opened : .unknownKey), "\(push.text) \(push.kid)")
            }
            try scene.deliver(to: scene.phone, order)
        }
        try scene.deliverTheRest(to: scene.phone)
        let last = kind.sealsAfter ? try scene.seal("last") : []
        try expectOpening(pushes + last, on: scene.phone, scene)
        try expectHandles(last, kind, handles)
        if kind == .memberAdded {
            try scene.deliverTheRest(to: scene.joining)
            try expectOpening(after + last, on: scene.joining, scene)
        }
        if kind.removesOther {
            for push in after + last {
                let outcome = scene.other.open(push.payload, now: scene.now).outcome
                #expect(outcome == .unknownKey, "\(push.text) \(push.kid) on the removed phone")
            }
        } else {
            try scene.deliverTheRest(to: scene.other)
            try expectOpening(pushes + last, on: scene.other, scene)
        }
        _ = try scene.backend.store.store.status(verify: true, now: scene.now)
    }

    /// The last first: a phone opens in any order.
    private func expectOpening(
        _ pushes: [RotationScene.Push], on phone: ReceivingPhone, _ scene: RotationScene
    ) throws {
        let arriving = scene.arriving(pushes, at: phone)
        #expect(!arriving.isEmpty)
        for push in arriving.reversed() {
            let opening = phone.open(push.payload, now: scene.now)
            #expect(opening.outcome == .opened && opening.content?.body == push.text, "\(push.text) \(push.kid)")
            #expect(phone.open(push.payload, now: scene.now).outcome == .duplicate)
        }
    }

    /// That the rotation took place at all.
    private func expectHandles(_ last: [RotationScene.Push], _ kind: RotationKind, _ handles: [String: Handle]) throws {
        for push in last {
            #expect((push.kid.handle != handles[push.conversation.string]) == kind.makesHandle)
            if kind == .ratchet { #expect(push.kid.epoch == 2) }
        }
    }

    /// Under each kind that makes a handle: the phone deactivates what it had before when it opens something under the
    /// new one, and only then.
    @Test(arguments: RotationKind.allCases.filter(\.makesHandle)) func earlierHandlesAreRetired(kind: RotationKind) throws {
        let scene = try RotationScene(.dir)
        let before = try scene.seal("before")
        for chat in scene.chats { try kind.begin(chat, scene) }
        for chat in scene.chats { try kind.complete(chat, scene) }
        try scene.deliver(to: scene.phone, .early)
        if kind != .deviceRemoved { try scene.deliver(to: scene.other, .early) }
        let old = before[0].kid.handle
        #expect(try scene.phone.epochs(of: old).map(\.state) == [.active])
        let after = try scene.seal("after")
        #expect(after[0].conversation == before[0].conversation && after[0].kid.handle != old)
        #expect(scene.phone.open(after[0].payload, now: scene.now).outcome == .opened)
        let retired = try #require(try scene.phone.epochs(of: old).first)
        let end = scene.now + 35 * 86_400
        #expect(retired.state == .deactivated && retired.openUntil == end)
        #expect(try scene.phone.epochs(of: after[0].kid.handle).map(\.openUntil) == [nil])
        #expect(scene.phone.open(before[0].payload, now: end, remembers: false).outcome != .keyRetired)
        #expect(scene.phone.open(before[0].payload, now: end + 1, remembers: false).outcome == .keyRetired)
        // The other conversation's are as they were.
        #expect(try scene.phone.epochs(of: before[1].kid.handle).map(\.state) == [.active])
        // A clock that was set back moves the end of what is retired to no later time.
        scene.now -= 86_400
        let later = try scene.seal("later")
        _ = scene.phone.open(later[0].payload, now: scene.now)
        #expect((try scene.phone.epochs(of: old).first?.openUntil ?? .max) <= end)
    }

    /// Past its end a secret is erased with the next change of what the phone holds, and 35 days later it is not known any
    /// more. A look changes nothing.
    @Test func whatHasEndedIsErased() throws {
        let scene = try RotationScene(.dir)
        let before = try scene.seal("before")
        let old = before[0].kid.handle
        _ = try scene.backend.store.revoke(scene.chats[0], now: scene.now)
        try scene.deliverTheRest(to: scene.phone)
        #expect(scene.phone.open(try scene.seal("after")[0].payload, now: scene.now).outcome == .opened)
        func outcomes(at now: Int64) throws -> (look: Bool, held: Bool, Outcome) {
            scene.now = now
            _ = try scene.backend.store.ratchet(scene.chats[1], now: now)
            let push = try scene.seal("later")[1]
            _ = scene.phone.open(push.payload, now: now, remembers: false)
            let look = try scene.phone.epochs(of: old).contains { $0.secret.value != nil }
            #expect(scene.phone.open(push.payload, now: now).outcome == .opened)
            let held = try scene.phone.epochs(of: old).contains { $0.secret.value != nil }
            return (look, held, scene.phone.open(before[0].payload, now: now, remembers: false).outcome)
        }
        let end = scene.now + 35 * 86_400
        #expect(try outcomes(at: end) == (true, true, .expired))
        #expect(try outcomes(at: end + 1) == (true, false, .keyRetired))
        #expect(try outcomes(at: end + 35 * 86_400) == (false, false, .keyRetired))
        #expect(try outcomes(at: end + 35 * 86_400 + 1) == (false, false, .unknownKey))
    }

    /// 512 ratchets without a bundle.
    @Test func aPhoneThatWasAwayFor512RatchetsOpens() throws {
        let scene = try RotationScene(.dir)
        let first = try scene.seal("first")
        for _ in 0..<512 { _ = try scene.backend.store.ratchet(scene.chats[0], now: scene.now) }
        let last = try scene.seal("last")
        #expect(last[0].kid == first[0].kid.at(epoch: 512))
        #expect(scene.phone.open(last[0].payload, now: scene.now).outcome == .opened)
        #expect(scene.phone.open(first[0].payload, now: scene.now).outcome == .opened)
    }

    /// What the phone gave up stays given up: no bundle of the handle is taken, early, late or renewed.
    @Test(arguments: [KeyState.compromised, .destroyed]) func noBundleBringsBackWhatThePhoneGaveUp(state: KeyState) throws {
        let scene = try RotationScene(.dir)
        let chat = scene.chats[0]
        let pushes = try scene.seal("before")
        try scene.phone.change { device in
            try device.revoke(chat, now: scene.now)
            if state == .destroyed { try device.destroy(chat, now: scene.now) }
        }
        // The 384th issues a bundle of a later epoch of the same handle.
        for _ in 0..<384 { _ = try scene.backend.store.ratchet(chat, now: scene.now) }
        let bundle = try #require(try scene.backend.store.pendingBundles(for: scene.phone.thumbprint, now: scene.now).first)
        #expect(bundle.kid.handle == pushes[0].kid.handle)
        #expect(try scene.phone.accept(bundle, now: scene.now).outcome == .conflict)
        let late = try scene.seal("late")
        for push in [pushes[0], late[0]] {
            #expect(scene.phone.open(push.payload, now: scene.now).outcome == .keyRevoked)
        }
        let held = try scene.phone.epochs(of: pushes[0].kid.handle)
        #expect(held.map(\.state) == [state] && (held[0].secret.value == nil) == (state == .destroyed))
        #expect(scene.phone.open(late[1].payload, now: scene.now).outcome == .opened)
        // A fresh secret reaches it as ever.
        _ = try scene.backend.store.revoke(chat, now: scene.now)
        try scene.deliverTheRest(to: scene.phone)
        #expect(scene.phone.open(try scene.seal("fresh")[0].payload, now: scene.now).outcome == .opened)
    }
}

extension Sequence where Element == (String, Handle) {
    /// One of each name.
    fileprivate func uniqued() -> [Element] {
        var names: Set<String> = []
        return filter { names.insert($0.0).inserted }
    }
}
