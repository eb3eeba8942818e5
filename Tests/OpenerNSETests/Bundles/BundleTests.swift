import CryptoPrimitives
import EnvelopeFormat
import OpenerNSE
import Testing

/// Whether a bundle is installed, and what changes (bundle spec, sections 6 and 7).
@Suite struct BundleTests {
    private static let grace = 35 * Phone.day

    /// Offers a bundle that is refused, and sees that nothing at all changed.
    private func refused(_ phone: Phone, _ bundle: [UInt8], now: Int64 = Phone.now) -> Outcome {
        let before = phone.keychain.snapshot
        let result = phone.accept(bundle, now: now)
        #expect(phone.keychain.snapshot == before)
        #expect(!result.already)
        return result.outcome
    }

    private func held(_ phone: Phone, _ epoch: Int, _ handle: UInt8 = 1) throws -> HeldEpoch {
        try #require(phone.keychain.held(try phone.kid(epoch, try Phone.handle(handle))))
    }

    @Test(arguments: [KeyAlgorithm.dir, .hpke7]) func aFreshHandle(_ algorithm: KeyAlgorithm) throws {
        let phone = try Phone()
        try phone.hold(0, handle: 2)
        let result = phone.accept(
            try phone.bundle(epoch: 3, algorithm: algorithm, sequence: 7, accessible: .whenUnlocked))
        #expect(result.outcome == .installed)
        #expect(result.bundle?.sequence == 7)
        let epoch = try held(phone, 3)
        #expect(epoch.state == .active)
        #expect(epoch.openUntil == nil)
        #expect(epoch.algorithm == algorithm)
        #expect(epoch.accessible == .whenUnlocked)
        #expect(epoch.installation == 3)
        #expect(phone.keychain.snapshot.contains("seq 7"))
        #expect(try held(phone, 0, 2).state == .active)
        #expect(phone.open(try phone.message(1, algorithm, epoch: 5)).outcome == .opened)
    }

    @Test func theSequence() throws {
        let phone = try Phone()
        #expect(phone.accept(try phone.bundle(handle: 1, sequence: 0)).outcome == .installed)
        #expect(refused(phone, try phone.bundle(handle: 2, sequence: 0)) == .replayed)
        #expect(phone.accept(try phone.bundle(handle: 2, sequence: 1)).outcome == .installed)
        #expect(phone.accept(try phone.bundle(handle: 3, sequence: 9_007_199_254_740_991)).outcome == .installed)
        #expect(refused(phone, try phone.bundle(handle: 4, sequence: 9_007_199_254_740_991)) == .replayed)
        // Replayed goes before conflict.
        #expect(refused(phone, try phone.bundle(handle: 1, secret: Phone.secret(9), sequence: 5)) == .replayed)
    }

    @Test func alreadyInstalled() throws {
        let phone = try Phone()
        let bundle = try phone.bundle()
        #expect(!phone.accept(bundle).already)
        let again = phone.accept(bundle)
        #expect(again.outcome == .replayed)
        #expect(again.already)
        #expect(!phone.accept(try phone.bundle()).already)
        // Also once it has expired.
        let late = phone.accept(bundle, now: Phone.now + 31 * Phone.day)
        #expect(late.outcome == .expired)
        #expect(late.already)
    }

    @Test func knownWithTheSameBytes() throws {
        for (state, openUntil) in [(.active, nil), (.suspended, nil), (.deactivated, Phone.now), (.deactivated, nil)]
            as [(KeyState, Int64?)]
        {
            let phone = try Phone()
            try phone.hold(0)
            try phone.hold(7, state: state, openUntil: openUntil)
            let before = phone.keychain.snapshot.filter { !$0.hasPrefix("seq") && !$0.hasPrefix("digests") }
            for epoch in [7, 0] {
                #expect(
                    phone.accept(
                        try phone.bundle(epoch: epoch, sequence: 100 - Int64(epoch), accessible: .whenUnlocked)
                    ).outcome == .installed)
            }
            #expect(phone.keychain.snapshot.filter { !$0.hasPrefix("seq") && !$0.hasPrefix("digests") } == before)
            #expect(phone.keychain.snapshot.contains("seq 100"))
        }
    }

    @Test func conflicts() throws {
        let phone = try Phone()
        let other = try ConversationIdentifier("other")
        try phone.hold(3)
        try phone.hold(7)
        for epoch in [3, 7, 0, 5, 8, 519, 520, 65_535] {
            #expect(refused(phone, try phone.bundle(epoch: epoch, conversation: other)) == .conflict)
            #expect(refused(phone, try phone.bundle(epoch: epoch, algorithm: .hpke7)) == .conflict)
        }
        for epoch in [3, 7, 0, 5, 6, 8, 519] {
            #expect(refused(phone, try phone.bundle(epoch: epoch, secret: Phone.secret(9))) == .conflict)
        }
        // The bytes of a neighbour.
        #expect(
            refused(phone, try phone.bundle(epoch: 8, secret: phone.secret.stepped(7, in: phone.conversation)))
                == .conflict)
        #expect(
            refused(phone, try phone.bundle(epoch: 6, secret: phone.secret.stepped(7, in: phone.conversation)))
                == .conflict)
        #expect(
            refused(phone, try phone.bundle(epoch: 4, secret: phone.secret.stepped(3, in: phone.conversation)))
                == .conflict)
        // The same sequence number is still free.
        #expect(phone.accept(try phone.bundle(epoch: 8)).outcome == .installed)
    }

    @Test func theBytesOfASplitKey() throws {
        let phone = try Phone()
        try phone.hold(0)
        let raw = try Phone.secret(2).rawKey
        phone.keychain.change {
            $0.splits = [
                (.compromised, 0, .init(data: [UInt8](repeating: 1, count: 32)), .whenUnlocked),
                (.active, nil, raw, .afterFirstUnlock),
            ]
        }
        #expect(refused(phone, try phone.bundle(handle: 2)) == .conflict)
        #expect(refused(phone, try phone.bundle(epoch: 0)) == .conflict)
        #expect(phone.accept(try phone.bundle(handle: 3)).outcome == .installed)
    }

    @Test(arguments: [KeyState.compromised, .destroyed]) func nothingIsRevived(_ state: KeyState) throws {
        let phone = try Phone()
        try phone.hold(7, state: state)
        for epoch in [0, 7, 9, 600] { #expect(refused(phone, try phone.bundle(epoch: epoch)) == .conflict) }
    }

    @Test func pastItsEnd() throws {
        let phone = try Phone()
        try phone.hold(7, state: .deactivated, openUntil: Phone.now - 1)
        for epoch in [0, 7, 9, 600] { #expect(refused(phone, try phone.bundle(epoch: epoch)) == .conflict) }
        let atIt = try Phone()
        try atIt.hold(7, state: .deactivated, openUntil: Phone.now)
        for (index, epoch) in [7, 9, 1].enumerated() {
            #expect(atIt.accept(try atIt.bundle(epoch: epoch, sequence: Int64(index + 1))).outcome == .installed)
        }
        #expect(try held(atIt, 9).openUntil == Phone.now)
        #expect(try held(atIt, 1).openUntil == Phone.now)
    }

    @Test func above() throws {
        for (epoch, isOnChain) in [(8, true), (519, true), (520, true), (520, false), (65_535, false)] {
            let phone = try Phone()
            try phone.hold(3, openUntil: Phone.now + 5)
            try phone.hold(7, accessible: .afterFirstUnlockThisDeviceOnly)
            let secret = isOnChain ? nil : try Phone.secret(9)
            #expect(
                phone.accept(try phone.bundle(epoch: epoch, secret: secret, accessible: .whenUnlocked)).outcome
                    == .installed)
            #expect(try held(phone, epoch).openUntil == nil)
            #expect(try held(phone, epoch).accessible == .afterFirstUnlockThisDeviceOnly)
            #expect(try held(phone, epoch).installation == 1)
            #expect(try held(phone, 7).openUntil == Phone.now + Self.grace)
            #expect(try held(phone, 3).openUntil == Phone.now + 5)
        }
    }

    @Test func aboveInAHandleThatEnds() throws {
        for (state, openUntil) in [
            (.deactivated, Phone.now + 5), (.suspended, nil), (.deactivated, Phone.now + 99 * Phone.day),
        ] as [(KeyState, Int64?)] {
            let phone = try Phone()
            try phone.hold(7, state: state, openUntil: openUntil)
            #expect(phone.accept(try phone.bundle(epoch: 9)).outcome == .installed)
            #expect(try held(phone, 9).state == state)
            #expect(try held(phone, 9).openUntil == openUntil)
            #expect(try held(phone, 7).state == state)
            #expect(try held(phone, 7).openUntil == min(openUntil ?? Int64.max, Phone.now + Self.grace))
        }
    }

    @Test func below() throws {
        let phone = try Phone()
        try phone.hold(600, accessible: .whenUnlocked)
        #expect(refused(phone, try phone.bundle(epoch: 87)) == .conflict)
        #expect(phone.accept(try phone.bundle(epoch: 88, sequence: 1)).outcome == .installed)
        #expect(try held(phone, 88).openUntil == Phone.now + Self.grace)
        #expect(try held(phone, 88).accessible == .whenUnlocked)
        #expect(try held(phone, 600).openUntil == nil)
        // The next held one is now the one at 88.
        #expect(phone.accept(try phone.bundle(epoch: 0, sequence: 2), now: Phone.now + 7).outcome == .installed)
        #expect(try held(phone, 0).openUntil == Phone.now + 7 + Self.grace)
        #expect(refused(phone, try phone.bundle(epoch: 300, secret: Phone.secret(9))) == .conflict)
        #expect(phone.accept(try phone.bundle(epoch: 300, sequence: 3)).outcome == .installed)
        #expect(phone.open(try phone.message(1, epoch: 301)).outcome == .opened)
    }

    @Test func notForUsOrNotNow() throws {
        let phone = try Phone()
        let bundle = try phone.bundle()
        let other = try Phone()
        #expect(refused(other, bundle) == .unknownKey)
        #expect(refused(try Phone(hasDevice: false), bundle) == .unknownKey)
        #expect(refused(phone, try phone.bundle(enrollment: SymmetricKey(size: .bits256))) == .notAuthentic)
        #expect(refused(phone, bundle, now: Phone.now + 30 * Phone.day) == .expired)
        #expect(refused(phone, bundle, now: Phone.now - 601) == .notYetValid)
        #expect(refused(phone, Array("x".utf8)) == .malformed)
        #expect(refused(phone, Array(try phone.seal(try phone.claims(), .hpke7).utf8)) == .unsupported)
        #expect(refused(phone, Array(try phone.seal(try phone.claims()).utf8)) == .unsupported)
        phone.keychain.change { $0.lock = .beforeFirstUnlock }
        #expect(refused(phone, bundle) == .keyLocked)
        phone.keychain.change { $0.lock = .locked }
        #expect(phone.accept(bundle).outcome == .installed)
    }

    /// What has to be compared and cannot be read is neither the same nor another.
    @Test func lockedWhileComparing() throws {
        let phone = try Phone()
        try phone.hold(3, accessible: .whenUnlocked)
        try phone.hold(7, accessible: .whenUnlocked)
        phone.keychain.change { $0.lock = .locked }
        for epoch in [3, 7, 9, 1, 5] {
            #expect(refused(phone, try phone.bundle(epoch: epoch)) == .keyLocked)
            #expect(refused(phone, try phone.bundle(epoch: epoch, algorithm: .hpke7)) == .conflict)
        }
        #expect(phone.accept(try phone.bundle(epoch: 600, sequence: 1)).outcome == .installed)
        #expect(phone.accept(try phone.bundle(handle: 2, sequence: 2)).outcome == .installed)
    }

    /// A locked split key hides no conflict that is one whatever it holds.
    @Test func aLockedSplitKey() throws {
        let phone = try Phone()
        try phone.hold(7, state: .compromised)
        try phone.hold(0, handle: 3)
        let raw = try Phone.secret(2).rawKey
        phone.keychain.change {
            $0.lock = .locked
            $0.splits = [
                (.active, nil, .init(data: [UInt8](repeating: 77, count: 32)), .whenUnlocked),
                (.active, nil, raw, .afterFirstUnlock),
            ]
        }
        #expect(refused(phone, try phone.bundle(epoch: 7)) == .conflict)
        #expect(refused(phone, try phone.bundle(handle: 3, secret: Phone.secret(9))) == .conflict)
        #expect(refused(phone, try phone.bundle(handle: 2)) == .conflict)
        #expect(refused(phone, try phone.bundle(handle: 4)) == .keyLocked)
        phone.keychain.change { $0.lock = .unlocked }
        #expect(phone.accept(try phone.bundle(handle: 4)).outcome == .installed)
    }
}
