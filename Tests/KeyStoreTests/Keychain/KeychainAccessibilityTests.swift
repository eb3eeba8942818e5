import CryptoPrimitives
import EnvelopeFormat
import Testing

@testable import KeyStore

/// Moving what is held to another accessibility class.
@Suite struct KeychainAccessibilityTests {
    /// A phone with an identity, an item, a split key and two epochs of one conversation.
    private static func furnished(_ accessible: AccessibilityClass) throws -> (Scene, Keychain, DeviceStore) {
        let (scene, keychain) = try Scene.keychain()
        let device = try DeviceStore(scene.store)
        _ = try device.makeIdentity(name: "phone", now: scene.now)
        try keychain.add(
            service: "mail", account: "anna", value: .value(), accessible: accessible, label: "Mail", now: scene.now)
        try device.splitAdd(.value(32), conversation: chat, until: scene.now + 60, now: scene.now)
        try device.transaction(now: scene.now) { (transaction) throws(KeyStoreError) in
            for kid in kids {
                try transaction.add(
                    HeldEpochRecord(
                        conversation: chat, algorithm: .dir, kid: kid, accessible: accessible, installOrder: 1),
                    secret: try! ConversationSecret(.value(32)))
            }
        }
        return (scene, keychain, device)
    }

    private static let chat = try! ConversationIdentifier("chat-1")
    private static let kids = [0, 1].map { try! KeyIdentifier(handle: Handle("AAAAAAAAAAAAAAAA")!, epoch: $0) }

    private static func secrets(_ device: DeviceStore) throws -> [SymmetricKey?] {
        try device.reading { (transaction) throws(KeyStoreError) in
            try transaction.heldEpochs().map { $0.secret.value?.rawKey }
        }
    }

    @Test(arguments: AccessibilityClass.allCases, AccessibilityClass.allCases)
    func anItemMovesFromEachClassToEach(from: AccessibilityClass, to: AccessibilityClass) throws {
        let (scene, keychain) = try Scene.keychain()
        let value = SymmetricKey.value()
        try keychain.add(service: "s", account: "a", value: value, accessible: from, label: "l", now: 1)
        try keychain.setAccessibility(to, service: "s", account: "a", now: 2)
        let item = try keychain.get(service: "s", account: "a")
        #expect(item.value == value && item.accessible == to && item.label == "l" && item.created == 1)
        #expect(item.modified == (from == to ? 1 : 2))
        try scene.bring(.locked)
        let code = status { _ = try keychain.get(service: "s", account: "a") }
        #expect(code == (to.isReadable(in: .locked) ? .success : .interactionNotAllowed))
        try scene.bring(.unlocked)
        #expect(try scene.store.status(verify: true, now: 3).verifiedRows != nil)
    }

    /// What the engineer does who finds -25308 on a locked phone.
    @Test func keysOfALockedPhoneCanBeReadAfterTheyWereMoved() throws {
        let (scene, keychain, device) = try Self.furnished(.whenUnlocked)
        let before = try Self.secrets(device)
        #expect(before.count == 2 && before.allSatisfy { $0 != nil })
        try scene.bring(.locked)
        #expect(try Self.secrets(device) == [nil, nil])
        try scene.bring(.unlocked)
        #expect(try keychain.setAccessibility(.afterFirstUnlockThisDeviceOnly, of: Self.chat, now: 5) == 2)
        try scene.bring(.locked)
        #expect(try Self.secrets(device) == before)
        try scene.bring(.beforeFirstUnlock)
        #expect(try Self.secrets(device) == [nil, nil])
        try scene.bring(.unlocked)
        #expect(try Self.secrets(device) == before)
        _ = try scene.store.status(verify: true, now: 6)
    }

    @Test func oneEpochMovesByItsName() throws {
        let (scene, keychain, device) = try Self.furnished(.whenUnlocked)
        try keychain.setAccessibility(.afterFirstUnlock, of: Self.kids[1], now: 5)
        try scene.bring(.locked)
        #expect(try Self.secrets(device).map { $0 != nil } == [false, true])
        let classes = try device.reading { (transaction) throws(KeyStoreError) in
            try transaction.heldEpochs().map(\.accessible)
        }
        #expect(classes == [.whenUnlocked, .afterFirstUnlock])
    }

    @Test func identityAndSplitKeyMove() throws {
        let (scene, keychain, device) = try Self.furnished(.whenUnlocked)
        let name = try device.reading { (transaction) throws(KeyStoreError) in try transaction.splitKeys()[0].name }
        let document = try device.enrollmentDocument()
        try scene.bring(.locked)
        #expect(device.deviceKey().value != nil && device.enrollmentSecret().value != nil)
        try scene.bring(.unlocked)
        try keychain.setIdentityAccessibility(.whenUnlocked, now: 5)
        try keychain.setAccessibility(.whenUnlocked, splitKey: name, now: 5)
        try scene.bring(.locked)
        guard case .locked = device.deviceKey(), case .locked = device.enrollmentSecret() else {
            Issue.record("the identity can be read")
            return
        }
        let split = try device.reading { (transaction) throws(KeyStoreError) in try transaction.splitKeys() }
        #expect(split.map { $0.key.value == nil } == [true])
        try scene.bring(.unlocked)
        #expect(try device.enrollmentDocument().thumbprint == document.thumbprint)
        _ = try scene.store.status(verify: true, now: 6)
    }

    @Test func whatIsNotThereIsMissingInEveryState() throws {
        for state in [LockState.unlocked, .locked, .beforeFirstUnlock] {
            let (scene, keychain) = try Scene.keychain()
            try scene.bring(state)
            for status in [
                status { try keychain.setAccessibility(.whenUnlocked, of: Self.kids[0], now: 1) },
                status { try keychain.setAccessibility(.whenUnlocked, of: Self.chat, now: 1) },
                status { try keychain.setAccessibility(.whenUnlocked, splitKey: "split:00000000", now: 1) },
                status { try keychain.setIdentityAccessibility(.whenUnlocked, now: 1) },
            ] { #expect(status == .itemNotFound, "\(state)") }
        }
    }

    /// Of several that move together one cannot: all stay where they were.
    @Test func aMoveThatFailsInTheMiddleMovesNothing() throws {
        let (scene, keychain, _) = try Self.furnished(.afterFirstUnlock)
        try keychain.setAccessibility(.whenUnlocked, of: Self.kids[1], now: 2)
        try scene.bring(.locked)
        let before = try RawDatabase(scene.database).texts("SELECT hex(sealed) FROM held_epoch ORDER BY id")
        let code = status {
            try keychain.setAccessibility(.afterFirstUnlockThisDeviceOnly, of: Self.chat, now: 3)
        }
        #expect(code == .interactionNotAllowed)
        #expect(try RawDatabase(scene.database).texts("SELECT hex(sealed) FROM held_epoch ORDER BY id") == before)
    }

    @Test func theOldWrapIsGoneFromTheFiles() throws {
        let (scene, keychain) = try Scene.keychain()
        try keychain.add(service: "s", account: "a", value: .value(), accessible: .afterFirstUnlock, now: 1)
        let old = try #require(try RawDatabase(scene.database).text("SELECT hex(value) FROM item"))
        let wrap = Hexadecimal.bytes(old)
        #expect(try scene.filesHold(wrap))
        try keychain.setAccessibility(.whenUnlocked, service: "s", account: "a", now: 2)
        #expect(try scene.store.status(now: 3).erasurePending == false)
        #expect(try !scene.filesHold(wrap))
    }

    @Test func anErasedEpochHasNothingToMove() throws {
        let (scene, keychain, device) = try Self.furnished(.whenUnlocked)
        defer { withExtendedLifetime(scene) {} }
        try device.transaction { (transaction) throws(KeyStoreError) in
            for kid in Self.kids { try transaction.eraseSecret(of: kid) }
        }
        let error = failure { try keychain.setAccessibility(.afterFirstUnlock, of: Self.kids[0], now: 5) }
        #expect(error?.kind == .notFound && error?.reason == "its secret is gone")
        #expect(status { try keychain.setAccessibility(.afterFirstUnlock, of: Self.chat, now: 5) } == .itemNotFound)
    }
}
