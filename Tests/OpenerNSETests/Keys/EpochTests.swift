import CryptoPrimitives
import EnvelopeFormat
import OpenerNSE
import Testing

/// How a device moves through epochs (envelope spec, section 8).
@Suite struct EpochTests {
    private static let grace = 35 * Phone.day

    private func outcome(
        _ phone: Phone, _ message: UInt8, epoch: Int, now: Int64 = Phone.now, _ algorithm: KeyAlgorithm = .dir,
        handle: UInt8 = 1
    ) throws -> Outcome {
        phone.open(try phone.message(message, algorithm, epoch: epoch, handle: handle, issuedAt: now), now: now).outcome
    }

    @Test(arguments: [KeyAlgorithm.dir, .hpke7]) func theFarthestStep(_ algorithm: KeyAlgorithm) throws {
        let phone = try Phone()
        try phone.hold(10, algorithm: algorithm)
        #expect(try outcome(phone, 1, epoch: 523, algorithm) == .unknownKey)
        #expect(try outcome(phone, 1, epoch: 9, algorithm) == .unknownKey)
        #expect(try outcome(phone, 1, epoch: 522, algorithm) == .opened)
        #expect(phone.keychain.heldEpochs(phone.handle) == [10, 522])
        #expect(try outcome(phone, 2, epoch: 1_034, algorithm) == .opened)
        #expect(try outcome(phone, 3, epoch: 9, algorithm) == .unknownKey)
        #expect(phone.keychain.heldEpochs(phone.handle) == [10, 522, 1_034])
    }

    @Test func theLastEpoch() throws {
        let phone = try Phone()
        try phone.hold(65_530)
        #expect(try outcome(phone, 1, epoch: 65_535) == .opened)
        #expect(try outcome(phone, 2, epoch: 65_535) == .opened)
    }

    @Test func whatAStepKeeps() throws {
        let phone = try Phone()
        try phone.hold(0, accessible: .afterFirstUnlockThisDeviceOnly)
        #expect(try outcome(phone, 1, epoch: 5) == .opened)
        let stepped = try #require(phone.keychain.held(try phone.kid(5)))
        #expect(stepped.state == .active)
        #expect(stepped.openUntil == nil)
        #expect(stepped.accessible == .afterFirstUnlockThisDeviceOnly)
        #expect(stepped.installation == 1)
        #expect(phone.keychain.held(try phone.kid(0))?.openUntil == Phone.now + Self.grace)
        #expect(
            try phone.keychain.secret(of: try phone.kid(5)).isSame(
                as: Phone.secret(1).stepped(5, in: phone.conversation)))
        // Below and at the newest nothing changes, whenever.
        let before = phone.keychain.snapshot
        #expect(try outcome(phone, 2, epoch: 3) == .opened)
        #expect(try outcome(phone, 3, epoch: 0) == .opened)
        #expect(try outcome(phone, 4, epoch: 5, now: Phone.now + 9) == .opened)
        #expect(phone.keychain.snapshot == before)
        #expect(try outcome(phone, 5, epoch: 4, now: Phone.now + Self.grace) == .opened)
        #expect(try outcome(phone, 6, epoch: 4, now: Phone.now + Self.grace + 1) == .keyRetired)
        #expect(try outcome(phone, 7, epoch: 5, now: Phone.now + Self.grace + 1) == .opened)
    }

    @Test(arguments: [3, 40]) func anEndIsNeverMovedOut(_ days: Int64) throws {
        let phone = try Phone()
        let end = Phone.now + days * Phone.day
        try phone.hold(0, state: .deactivated, openUntil: end)
        #expect(try outcome(phone, 1, epoch: 2) == .opened)
        #expect(phone.keychain.held(try phone.kid(2))?.openUntil == end)
        #expect(phone.keychain.held(try phone.kid(2))?.state == .deactivated)
        #expect(phone.keychain.held(try phone.kid(0))?.openUntil == min(end, Phone.now + Self.grace))
        #expect(try outcome(phone, 2, epoch: 2, now: end) == .opened)
        #expect(try outcome(phone, 3, epoch: 2, now: end + 1) == .keyRetired)
    }

    /// What did not open keeps no step: the base stays where it was.
    @Test func onlyOpenedKeepsAStep() throws {
        let phone = try Phone()
        try phone.hold(0)
        let before = phone.keychain.snapshot
        let good = try phone.seal(try phone.claims(1), epoch: 500)
        let refused: [(String, Outcome)] = [
            (String(good.dropLast(2)) + "AA", .notAuthentic),
            (try phone.seal(try phone.claims(2, issuedAt: Phone.now + 601), epoch: 500), .notYetValid),
            (try phone.seal(try phone.claims(3, issuedAt: Phone.now - Validity.maximumAge), epoch: 500), .expired),
            (try phone.seal("{}", epoch: 500), .badClaims),
            (try phone.seal(try phone.claims(4, conversation: "x"), epoch: 500), .badClaims),
        ]
        for (sealed, outcome) in refused {
            let found = phone.open(phone.payload(sealed)).outcome
            // The last characters may have been those already.
            if outcome == .notAuthentic, found == .malformed || sealed == good { continue }
            #expect(found == outcome)
        }
        _ = phone.replays.remember(
            phone.conversation, try MessageIdentifier(bytes: [UInt8](repeating: 5, count: 16)), until: 0, now: 0)
        #expect(try outcome(phone, 5, epoch: 500) == .duplicate)
        #expect(phone.keychain.snapshot == before)
        #expect(try outcome(phone, 6, epoch: 513) == .unknownKey)
        #expect(try outcome(phone, 7, epoch: 500) == .opened)
        #expect(try outcome(phone, 8, epoch: 513) == .opened)
    }

    // MARK: Earlier handles

    @Test(arguments: [KeyAlgorithm.dir, .hpke7]) func theFirstOpenedRetiresEarlierHandles(_ algorithm: KeyAlgorithm)
        throws
    {
        let phone = try Phone()
        let other = try ConversationIdentifier("other")
        try phone.hold(0, handle: 1, algorithm: algorithm)
        try phone.hold(4, handle: 1, algorithm: algorithm, openUntil: Phone.now + 5)
        try phone.hold(0, handle: 2, algorithm: algorithm, state: .suspended)
        try phone.hold(0, handle: 3, algorithm: algorithm, state: .compromised, openUntil: Phone.now + 500 * Phone.day)
        try phone.hold(0, handle: 4, algorithm: algorithm == .dir ? .hpke7 : .dir)
        try phone.hold(0, handle: 5, algorithm: algorithm, conversation: other)
        try phone.hold(0, handle: 6, algorithm: algorithm)
        try phone.hold(0, handle: 7, algorithm: algorithm)
        try phone.hold(0, handle: 8, algorithm: algorithm, state: .deactivated, openUntil: Phone.now + 90 * Phone.day)
        func held(_ number: UInt8, _ epoch: Int = 0) throws -> HeldEpoch {
            try #require(phone.keychain.held(try phone.kid(epoch, try Phone.handle(number))))
        }
        // A duplicate and a refused one are none.
        _ = phone.replays.remember(
            phone.conversation, try MessageIdentifier(bytes: [UInt8](repeating: 9, count: 16)), until: 0, now: 0)
        let before = phone.keychain.snapshot
        #expect(try outcome(phone, 9, epoch: 0, algorithm, handle: 6) == .duplicate)
        #expect(phone.open(phone.payload(try phone.seal("{}", algorithm, handle: 6))).outcome == .badClaims)
        #expect(phone.keychain.snapshot == before)

        #expect(try outcome(phone, 1, epoch: 2, algorithm, handle: 6) == .opened)
        #expect(try held(1).state == .deactivated)
        #expect(try held(1).openUntil == Phone.now + Self.grace)
        #expect(try held(1, 4).state == .deactivated)
        #expect(try held(1, 4).openUntil == Phone.now + 5)
        #expect(try held(2).state == .suspended)
        #expect(try held(2).openUntil == nil)
        #expect(try held(3).state == .compromised)
        #expect(try held(3).openUntil == Phone.now + 500 * Phone.day)
        #expect(try held(4).state == .active)
        #expect(try held(5).state == .active)
        #expect(try held(6, 2).state == .active)
        #expect(try held(6, 2).openUntil == nil)
        #expect(try held(7).state == .active)
        #expect(try held(8).openUntil == Phone.now + 90 * Phone.day)

        // Another one later does not move the end.
        #expect(try outcome(phone, 2, epoch: 2, now: Phone.now + 100, algorithm, handle: 6) == .opened)
        #expect(try held(1).openUntil == Phone.now + Self.grace)
        // What is deactivated still opens, and its step ends when it does.
        #expect(try outcome(phone, 3, epoch: 4, algorithm, handle: 1) == .opened)
        #expect(try held(7).state == .active)
    }

    @Test func theUncheckedOneRetiresToo() throws {
        let phone = try Phone()
        try phone.hold(0, handle: 1)
        try phone.hold(0, handle: 2)
        phone.replays.setUnreadable(true)
        #expect(try outcome(phone, 1, epoch: 0, handle: 2) == .opened)
        #expect(phone.keychain.held(try phone.kid(0))?.state == .deactivated)
    }
}

extension Held<ConversationSecret> {
    func isSame(as secret: ConversationSecret) -> Bool {
        if case .value(let held) = self { held.isSame(as: secret) } else { false }
    }
}
