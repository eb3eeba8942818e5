import CryptoPrimitives
import EnvelopeFormat
import Testing

@testable import KeyStore

/// What is answered in every lock state, for every class, whether the item is there or not: Apple's codes, written out.
@Suite struct KeychainLockTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let state: LockState
        let isThere: Bool
        /// In the order get, search, search with values, update, set accessibility, add, delete.
        let afterFirstUnlock: [Int32]
        let whenUnlocked: [Int32]

        var testDescription: String { "\(state.rawValue), \(isThere ? "there" : "not there")" }
    }

    static let table = [
        Row(
            state: .unlocked, isThere: true,
            afterFirstUnlock: [0, 0, 0, 0, 0, -25299, 0],
            whenUnlocked: [0, 0, 0, 0, 0, -25299, 0]),
        Row(
            state: .unlocked, isThere: false,
            afterFirstUnlock: [-25300, -25300, -25300, -25300, -25300, 0, 0],
            whenUnlocked: [-25300, -25300, -25300, -25300, -25300, 0, 0]),
        Row(
            state: .locked, isThere: true,
            afterFirstUnlock: [0, 0, 0, 0, 0, -25299, 0],
            whenUnlocked: [-25308, -25308, -25308, -25308, -25308, -25308, 0]),
        Row(
            state: .locked, isThere: false,
            afterFirstUnlock: [-25300, -25300, -25300, -25300, -25300, 0, 0],
            whenUnlocked: [-25300, -25300, -25300, -25300, -25300, -25308, -25300]),
        Row(
            state: .beforeFirstUnlock, isThere: true,
            afterFirstUnlock: [-25308, -25308, -25308, -25308, -25308, -25308, -25308],
            whenUnlocked: [-25308, -25308, -25308, -25308, -25308, -25308, -25308]),
        Row(
            state: .beforeFirstUnlock, isThere: false,
            afterFirstUnlock: [-25300, -25300, -25300, -25300, -25300, -25308, -25300],
            whenUnlocked: [-25300, -25300, -25300, -25300, -25300, -25308, -25300]),
    ]

    @Test(arguments: table) func theAnswerIsApples(row: Row) throws {
        let (scene, keychain) = try Scene.keychain()
        for accessible in AccessibilityClass.allCases where row.isThere {
            try keychain.add(
                service: accessible.rawValue, account: "a", value: .value(), accessible: accessible, now: 1)
        }
        try scene.bring(row.state)
        for accessible in AccessibilityClass.allCases {
            let service = accessible.rawValue
            // To another of the same lock states, so that the class asked for is what decides.
            let target: AccessibilityClass =
                ClassKeyName(accessible).isEvictedByLock(of: .device) ? .whenUnlocked : .afterFirstUnlockThisDeviceOnly
            let operations: [(String, () throws -> Void)] = [
                ("get", { _ = try keychain.get(service: service, account: "a") }),
                ("search", { _ = try keychain.search(service: service) }),
                ("search with values", { _ = try keychain.search(service: service, returningValues: true) }),
                ("update", { try keychain.update(service: service, account: "a", value: .value(), now: 2) }),
                ("set accessibility", { try keychain.setAccessibility(target, service: service, account: "a", now: 3) }),
                ("add", { try keychain.add(service: service, account: "a", value: .value(), accessible: accessible, now: 4) }),
                ("delete", { try keychain.delete(service: service, account: "a") }),
            ]
            let expected = ClassKeyName(accessible).isEvictedByLock(of: .device) ? row.whenUnlocked : row.afterFirstUnlock
            try #require(expected.count == operations.count)
            for ((name, operation), code) in zip(operations, expected) {
                let before = (try scene.rowCounts(), scene.store.generation.read().completed)
                #expect(status(operation)?.rawValue == code, "\(name), \(service)")
                if code != 0 {
                    #expect(try scene.rowCounts() == before.0, "\(name), \(service)")
                    #expect(scene.store.generation.read().completed == before.1, "\(name), \(service)")
                }
            }
        }
    }

    /// A read that fails changes nothing: what could not be read is read after unlocking as it was.
    @Test(arguments: [LockState.locked, .beforeFirstUnlock]) func whatWasLockedIsThereAfterUnlocking(state: LockState)
        throws
    {
        let (scene, keychain) = try Scene.keychain()
        let value = SymmetricKey.value()
        try keychain.add(service: "mail", account: "anna", value: value, accessible: .whenUnlocked, now: 1)
        try scene.bring(state)
        #expect(status { _ = try keychain.get(service: "mail", account: "anna") } == .interactionNotAllowed)
        #expect(status { try keychain.update(service: "mail", account: "anna", value: .value(), now: 2) } == .interactionNotAllowed)
        try scene.bring(.unlocked)
        let item = try keychain.get(service: "mail", account: "anna")
        #expect(item.value == value && item.modified == 1)
    }

    @Test func oneLockedItemFailsTheWholeSearch() throws {
        let (scene, keychain) = try Scene.keychain()
        try keychain.add(service: "mail", account: "anna", value: .value(), accessible: .afterFirstUnlock, now: 1)
        try keychain.add(service: "mail", account: "bert", value: .value(), accessible: .whenUnlocked, now: 1)
        try keychain.add(service: "file", account: "anna", value: .value(), accessible: .afterFirstUnlock, now: 1)
        try scene.bring(.locked)
        #expect(status { _ = try keychain.search(service: "mail") } == .interactionNotAllowed)
        #expect(status { _ = try keychain.search() } == .interactionNotAllowed)
        #expect(try keychain.search(service: "file").count == 1)
    }

    @Test func aLockTakesHoldInAStoreThatWasOpenedBefore() throws {
        let (scene, keychain) = try Scene.keychain()
        try keychain.add(service: "mail", account: "anna", value: .value(), now: 1)
        let other = try Keychain(scene.reopened())
        #expect(try other.get(service: "mail", account: "anna").value != nil)
        try scene.bring(.locked)
        #expect(status { _ = try other.get(service: "mail", account: "anna") } == .interactionNotAllowed)
        try scene.bring(.unlocked)
        #expect(try other.get(service: "mail", account: "anna").value != nil)
    }
}
