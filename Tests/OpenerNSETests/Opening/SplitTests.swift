import CryptoPrimitives
import EnvelopeFormat
import OpenerNSE
import Testing

/// The split profile on a device (envelope spec, section 10).
@Suite struct SplitTests {
    private static let first = SymmetricKey(data: [UInt8](repeating: 11, count: 32))
    private static let second = SymmetricKey(data: [UInt8](repeating: 12, count: 32))
    private static let third = SymmetricKey(data: [UInt8](repeating: 13, count: 32))

    private struct Key {
        var key = first
        var state = KeyState.active
        var openUntil: Int64? = Phone.now
        var accessible = AccessibilityClass.afterFirstUnlock
    }

    private func payload(_ text: [UInt8] = Array("body é".utf8), key: SymmetricKey = first) throws -> [UInt8] {
        let box = try AES.GCM.seal(text, using: key)
        let json = JSONValue.object([
            JSONMember("body", .string("outside")),
            JSONMember(
                "encrypted_payload",
                .object([
                    JSONMember("ciphertext", .string(Base64.encode(box.ciphertext))),
                    JSONMember("nonce", .string(Base64.encode(box.nonce))),
                    JSONMember("tag", .string(Base64.encode(box.tag))),
                ])),
        ])
        return json.write()
    }

    private func open(_ payload: [UInt8], _ keys: [Key], lock: LockState = .locked, allowsSplit: Bool = true) throws
        -> Opening
    {
        var phone = try Phone()
        phone.allowsSplit = allowsSplit
        phone.keychain.change { records in
            records.lock = lock
            records.splits = keys.map { ($0.state, $0.openUntil, $0.key, $0.accessible) }
        }
        let before = phone.keychain.snapshot
        let opening = phone.open(payload)
        #expect(phone.keychain.snapshot == before)
        #expect(phone.replays.count == 0)
        if opening.outcome == .opened {
            #expect(opening.isReplayUnchecked)
        } else {
            #expect(opening.shown == Phone.placeholder)
            #expect(opening.content == nil)
            #expect(!opening.isReplayUnchecked)
        }
        return opening
    }

    private func outcome(_ keys: [Key], key: SymmetricKey = first, lock: LockState = .locked) throws -> Outcome {
        try open(try payload(key: key), keys, lock: lock).outcome
    }

    @Test func outcomes() throws {
        let locked = AccessibilityClass.whenUnlocked
        #expect(try outcome([Key()]) == .opened)
        #expect(try outcome([Key(openUntil: nil)]) == .opened)
        #expect(try outcome([Key(state: .deactivated)]) == .opened)
        #expect(try outcome([]) == .unknownKey)
        #expect(try outcome([Key(state: .compromised)]) == .keyRevoked)
        #expect(
            try outcome([Key(state: .suspended), Key(state: .compromised, openUntil: Phone.now - 1)]) == .keyRevoked)
        #expect(try outcome([Key(openUntil: Phone.now - 1)]) == .keyRetired)
        #expect(try outcome([Key(openUntil: Phone.now - 1), Key(state: .compromised)]) == .keyRetired)
        #expect(try outcome([Key(openUntil: Phone.now - 1, accessible: locked)]) == .keyRetired)
        #expect(try outcome([Key(accessible: locked)]) == .keyLocked)
        #expect(try outcome([Key(accessible: locked), Key(openUntil: Phone.now - 1)]) == .keyLocked)
        #expect(try outcome([Key(accessible: locked), Key(state: .compromised)]) == .keyLocked)
        #expect(try outcome([Key()], lock: .beforeFirstUnlock) == .keyLocked)
        #expect(try outcome([Key(accessible: locked)], lock: .unlocked) == .opened)
        #expect(try outcome([Key(key: Self.second)]) == .notAuthentic)
        #expect(try outcome([Key(key: Self.second), Key(key: Self.third)]) == .notAuthentic)
        #expect(try outcome([Key(key: Self.second), Key()]) == .opened)
        #expect(try outcome([Key(), Key(key: Self.second)]) == .opened)
        #expect(try outcome([Key(), Key(key: Self.second, accessible: locked)]) == .opened)
        #expect(try outcome([Key(accessible: locked), Key(key: Self.second)]) == .keyLocked)
        #expect(try outcome([Key(key: Self.second), Key(accessible: locked)]) == .keyLocked)
        #expect(try outcome([Key(state: .compromised), Key(key: Self.second)]) == .notAuthentic)
        #expect(try outcome([Key(openUntil: Phone.now - 1), Key(key: Self.second)]) == .notAuthentic)
        // Both open: nobody can say which one was meant.
        #expect(try outcome([Key(), Key()]) == .notAuthentic)
        #expect(try outcome([Key(), Key(), Key(key: Self.second, accessible: locked)]) == .notAuthentic)
    }

    @Test func notAllowedIsNotLookedAt() throws {
        #expect(try open(try payload(), [Key()], allowsSplit: false).outcome == .unsupported)
        #expect(
            try open(Array(#"{"encrypted_payload":{"x":1}}"#.utf8), [Key()], allowsSplit: false).outcome == .unsupported
        )
        #expect(try open(Array(#"{"encrypted_payload":{"x":1}}"#.utf8), []).outcome == .malformed)
    }

    @Test func theTextIsTheBody() throws {
        let opening = try open(try payload(), [Key()])
        #expect(opening.newContent?.body == "body é")
        #expect(opening.newContent?.json.members?.map(\.name) == ["body"])
        #expect(opening.shown == ShownText(body: "body é"))
        #expect(try open(try payload([]), [Key()]).newContent?.body == "")
        for bytes in [[0xFF], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0x61, 0x00, 0xFE]] as [[UInt8]] {
            #expect(try open(try payload(bytes), [Key()]).outcome == .badClaims)
        }
        let odd = try open(try payload([0xEF, 0xBB, 0xBF, 0x00, 0x61]), [Key()])
        #expect(odd.newContent?.body.map { Array($0.utf8) } == [0xEF, 0xBB, 0xBF, 0x00, 0x61])
    }

    /// No replay protection: the same opens again, and says so.
    @Test func twice() throws {
        let phone = try Phone()
        phone.keychain.change { $0.splits = [(.active, nil, Self.first, .afterFirstUnlock)] }
        let payload = try payload()
        for _ in 0..<2 {
            let opening = phone.open(payload)
            #expect(opening.outcome == .opened)
            #expect(opening.isReplayUnchecked)
        }
    }
}
