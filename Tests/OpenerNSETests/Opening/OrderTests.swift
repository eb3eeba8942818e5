import EnvelopeFormat
import OpenerNSE
import Testing

/// Section 6 of the profile: of any two flaws at once the earlier check decides, and a message that does not open leaves no trace.
@Suite struct OrderTests {
    enum Flaw: Int, CaseIterable {
        case tooLarge, notJSON, absent, notAString, fourParts, otherType, otherDevice, tooFar, otherAlgorithm,
            compromised, suspended, past
        case locked, deviceLocked, tampered, badClaims, otherConversation, expired, early, seen

        /// The check that finds it, and its outcome.
        var step: (number: Double, outcome: Outcome) {
            switch self {
            case .tooLarge: (1, .tooLarge)
            case .notJSON: (2, .malformed)
            case .absent: (3, .notSealed)
            case .notAString: (3, .malformed)
            case .fourParts: (4, .malformed)
            case .otherType: (5, .unsupported)
            case .otherDevice, .tooFar: (6, .unknownKey)
            case .otherAlgorithm: (7, .unsupported)
            case .compromised, .suspended: (8, .keyRevoked)
            case .past: (8.5, .keyRetired)
            case .locked, .deviceLocked: (9, .keyLocked)
            case .tampered: (10, .notAuthentic)
            case .badClaims, .otherConversation: (11, .badClaims)
            case .expired: (12, .expired)
            case .early: (12.5, .notYetValid)
            case .seen: (13, .duplicate)
            }
        }

        /// Those that cannot be had together.
        func excludes(_ other: Flaw) -> Bool {
            let groups: [Set<Flaw>] = [
                [.absent, .notAString], [.compromised, .suspended], [.expired, .early],
                [.badClaims, .otherConversation],
            ]
            return self != other && groups.contains { $0.contains(self) && $0.contains(other) }
        }

        func exists(for algorithm: KeyAlgorithm) -> Bool {
            algorithm == .hpke7 || self != .otherDevice && self != .deviceLocked
        }
    }

    private func opening(_ flaws: Set<Flaw>, _ algorithm: KeyAlgorithm) throws -> (Opening, isUnchanged: Bool) {
        let phone = try Phone()
        let month = Validity.maximumAge
        let issuedAt =
            flaws.contains(.expired) ? Phone.now - month : flaws.contains(.early) ? Phone.now + 601 : Phone.now
        let claims = try phone.claims(
            issuedAt: issuedAt, conversation: flaws.contains(.otherConversation) ? "other" : nil,
            more: flaws.contains(.badClaims) ? ",\"nbf\":1" : "")
        let epoch = flaws.contains(.tooFar) ? 513 : 3
        var sealed = try phone.seal(claims, algorithm, epoch: epoch, typ: flaws.contains(.otherType) ? "wax2" : "wax1")
        if flaws.contains(.otherDevice) {
            let other = try Phone()
            sealed = try other.seal(claims, algorithm, epoch: epoch, typ: flaws.contains(.otherType) ? "wax2" : "wax1")
        }
        if flaws.contains(.tampered) {
            var parts = sealed.split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
            var bytes = try #require(Base64URL.decode(parts[3]))
            bytes[0] ^= 0x80
            parts[3] = Base64URL.encode(bytes)
            sealed = parts.joined(separator: ".")
        }
        if flaws.contains(.fourParts) { sealed = String(sealed.prefix(upTo: try #require(sealed.lastIndex(of: ".")))) }
        var payload = phone.payload(sealed, name: flaws.contains(.absent) ? "sealed" : "encrypted_payload")
        if flaws.contains(.notAString) {
            payload = Array(#"{"body":"outside","encrypted_payload":["\#(sealed)"]}"#.utf8)
        }
        if flaws.contains(.notJSON) { payload.removeLast() }
        let limit = flaws.contains(.tooLarge) ? payload.count - 1 : payload.count
        try phone.hold(
            0, algorithm: flaws.contains(.otherAlgorithm) ? (algorithm == .dir ? .hpke7 : .dir) : algorithm,
            state: flaws.contains(.compromised) ? .compromised : flaws.contains(.suspended) ? .suspended : .active,
            openUntil: flaws.contains(.past) ? Phone.now - 1 : nil,
            accessible: flaws.contains(.locked) ? .whenUnlocked : .afterFirstUnlock)
        phone.keychain.change {
            $0.lock = .locked
            if flaws.contains(.deviceLocked) { $0.deviceClass = .whenUnlocked }
        }
        if flaws.contains(.seen) {
            _ = phone.replays.remember(
                phone.conversation, try MessageIdentifier(bytes: [UInt8](repeating: 0, count: 16)), until: 0,
                now: Phone.now)
        }
        let before = (phone.keychain.snapshot, phone.replays.count)
        let opening = phone.open(payload, limit: limit)
        return (opening, before == (phone.keychain.snapshot, phone.replays.count))
    }

    private func check(_ flaws: Set<Flaw>, _ algorithm: KeyAlgorithm) throws {
        let expected = try #require(flaws.min { $0.step.number < $1.step.number })
        let (opening, isUnchanged) = try opening(flaws, algorithm)
        #expect(opening.outcome == expected.step.outcome, "\(flaws)")
        #expect(isUnchanged, "\(flaws)")
        #expect(opening.newContent == nil, "\(flaws)")
        #expect(!opening.isReplayUnchecked, "\(flaws)")
        if opening.outcome == .duplicate {
            #expect(opening.content?.body == "inside")
            #expect(opening.shown.body == "inside")
        } else {
            #expect(opening.content == nil, "\(flaws)")
            #expect(opening.shown == Phone.placeholder, "\(flaws)")
        }
    }

    @Test(arguments: [KeyAlgorithm.dir, .hpke7]) func withoutAFlaw(_ algorithm: KeyAlgorithm) throws {
        let (opening, isUnchanged) = try opening([], algorithm)
        #expect(opening.outcome == .opened)
        #expect(!isUnchanged)
        #expect(opening.newContent?.body == "inside")
        #expect(opening.shown == ShownText(body: "inside"))
        #expect(!opening.isReplayUnchecked)
    }

    @Test(arguments: [KeyAlgorithm.dir, .hpke7], Flaw.allCases) func everyPair(_ algorithm: KeyAlgorithm, _ first: Flaw)
        throws
    {
        guard first.exists(for: algorithm) else { return }
        for second in Flaw.allCases
        where second.exists(for: algorithm) && second.rawValue >= first.rawValue && !first.excludes(second) {
            try check([first, second], algorithm)
        }
    }

    @Test(arguments: [KeyAlgorithm.dir, .hpke7]) func allFromOneOn(_ algorithm: KeyAlgorithm) throws {
        let left: Set<Flaw> = [.notAString, .suspended, .early, .badClaims]
        let all = Flaw.allCases.filter { $0.exists(for: algorithm) && !left.contains($0) }
        for index in all.indices { try check(Set(all[index...]), algorithm) }
    }

    // MARK: The entry for an extension, which is given a dictionary

    @Test func theOtherEntry() throws {
        let phone = try Phone()
        try phone.hold()
        func outcome(_ member: SealedMember) -> Outcome { phone.opener().open(sealed: member, now: Phone.now).outcome }
        #expect(outcome(.absent) == .notSealed)
        #expect(outcome(.other) == .malformed)
        #expect(outcome(.string("")) == .malformed)
        #expect(outcome(.string(String(repeating: "é", count: 4_096))) == .malformed)
        #expect(outcome(.string(String(repeating: "é", count: 4_096) + "x")) == .tooLarge)
        #expect(outcome(.object([])) == .malformed)
        #expect(outcome(.string(try phone.seal(try phone.claims()))) == .opened)
        #expect(outcome(.string(try phone.seal(try phone.claims()))) == .duplicate)
        #expect(outcome(.string(try phone.seal(try phone.claims(1), .dir, epoch: 513))) == .unknownKey)
    }

    @Test func aDeviceWithoutAKey() throws {
        let phone = try Phone(hasDevice: false)
        try phone.hold(0, algorithm: .hpke7)
        #expect(phone.open(try phone.message(0, .hpke7)).outcome == .unknownKey)
    }

    @Test func anUnreadableRecord() throws {
        let phone = try Phone()
        try phone.hold()
        phone.replays.setUnreadable(true)
        for _ in 0..<2 {
            let opening = phone.open(try phone.message(0, .dir, epoch: 2))
            #expect(opening.outcome == .opened)
            #expect(opening.isReplayUnchecked)
            #expect(opening.newContent?.body == "inside")
        }
        #expect(phone.keychain.heldEpochs(phone.handle) == [0, 2])
        phone.replays.setUnreadable(false)
        #expect(!phone.open(try phone.message(0, .dir, epoch: 2)).isReplayUnchecked)
        #expect(phone.open(try phone.message(0, .dir, epoch: 2)).outcome == .duplicate)
    }
}
