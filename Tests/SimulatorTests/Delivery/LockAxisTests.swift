import EnvelopeFormat
import Foundation
import KeyStore
import OpenerNSE
import SealTestSupport
import Sealer
import StoreFixtures
import Testing

@testable import Simulator

/// Every accessibility class in every lock state, with the key there, not there, and in another access group than the extension's:
/// what is shown, what waits, what the app is told to fetch, and that nothing is made.
@Suite struct LockAxisTests {
    enum Presence: String, CaseIterable { case present, absent, otherGroup }

    struct Case: Sendable, CustomTestStringConvertible {
        let algorithm: KeyAlgorithm
        let accessible: AccessibilityClass
        let lock: LockState
        let presence: Presence
        var testDescription: String { "\(algorithm.rawValue) \(accessible.rawValue) \(lock) \(presence.rawValue)" }

        var outcome: Outcome {
            switch presence {
            case .otherGroup: .storeUnavailable
            case .absent: .unknownKey
            case .present:
                switch (lock, accessible) {
                case (.unlocked, _), (.locked, .afterFirstUnlock), (.locked, .afterFirstUnlockThisDeviceOnly): .opened
                default: .keyLocked
                }
            }
        }
    }

    static let cases: [Case] = [KeyAlgorithm.dir, .hpke7].flatMap { algorithm in
        AccessibilityClass.allCases.flatMap { accessible in
            [LockState.unlocked, .locked, .beforeFirstUnlock].flatMap { lock in
                Presence.allCases.map { Case(algorithm: algorithm, accessible: accessible, lock: lock, presence: $0) }
            }
        }
    }

    private static let otherGroup = "group.com.example.other"
    private static let title = "Anna"

    private let backend: Backend
    private let phone: ReceivingPhone

    init() throws {
        backend = try Backend()
        phone = try ReceivingPhone("one", with: backend.store, passcode: "4711")
    }

    /// Has a push come to the phone as the case says, before the phone is brought into its lock state.
    private func prepare(_ one: Case) throws -> [UInt8] {
        let other = try ReceivingPhone("two", with: backend.store)
        let conversation = try ConversationIdentifier("chat")
        // A bundle may not name the class that needs a passcode; the phone's own keychain has it all the same.
        let isFromBundle = one.presence != .absent && one.accessible.isProvisionable
        _ = try backend.store.provision(
            conversation, algorithm: one.algorithm, members: [phone.thumbprint, other.thumbprint],
            accessible: one.accessible.isProvisionable ? one.accessible : .standard, now: Backend.start)
        if isFromBundle {
            try phone.acceptBundles(from: backend.store)
        } else if one.presence != .absent {
            try other.acceptBundles(from: backend.store)
            try give(try #require(try backend.store.conversation(conversation).active?.handle), of: other, under: one.accessible)
        }
        let json = #"{"conversation":"chat","title":"\#(Self.title)","body":"six","thread":"t","category":"c","data":{"room":7}}"#
        let pushes = try backend.sealer().seal(try SealRequest(parsing: Array(json.utf8)), now: Backend.start)
        return try #require(pushes.first { $0.device == nil || $0.device == phone.thumbprint }).payload
    }

    private func give(_ handle: Handle, of other: ReceivingPhone, under accessible: AccessibilityClass) throws {
        let held = try #require(try other.epochs(of: handle).first)
        guard case .value(let secret) = held.secret else { throw WorkerFailure("the other phone is locked") }
        let record = HeldEpochRecord(
            conversation: held.conversation, algorithm: held.algorithm, kid: held.kid, state: held.state, openUntil: held.openUntil,
            accessible: accessible, installOrder: held.installOrder)
        try phone.change { store in
            try store.transaction(now: Backend.start) { (transaction) throws(KeyStoreError) in
                try transaction.add(record, secret: secret)
            }
        }
    }

    private func expect(_ shown: ShownNotification, _ one: Case) {
        if one.outcome == .opened {
            #expect(shown.base == .claims && shown.text == ShownText(title: Self.title, body: "six") && shown.thread == "t")
        } else {
            #expect(shown.isExactly(placeholder: ShownText(body: "New message")), "\(shown.base)")
        }
    }

    /// Queue and notes of the container, of which the latter are taken.
    private func expectLeft(_ one: Case, _ payload: [UInt8]) throws {
        let waits = one.outcome == .keyLocked || one.outcome == .storeUnavailable
        #expect(try DeferredQueue(phone.container + "/queue").count() == (waits ? 1 : 0))
        let notes = try BundleNotes(try ContainerDirectory(phone.container)).take()
        let kid = try backend.store.conversation(try ConversationIdentifier("chat")).active
        #expect(notes.map(\.kid) == (one.outcome == .unknownKey ? [kid] : []))
        // What is there is sealed, as it came.
        for name in try FileManager.default.subpathsOfDirectory(atPath: phone.container) {
            guard let data = FileManager.default.contents(atPath: phone.container + "/" + name) else { continue }
            #expect(data.range(of: Data(Self.title.utf8)) == nil, "\(name)")
        }
    }

    /// Nothing was made and nothing deleted; of a message that opened its identifier was remembered.
    private func expectNoNewKeys(_ one: Case, _ before: [String]) throws {
        let remembered = one.outcome == .opened ? ["device_state ", "replay "] : []
        func keys(_ rows: [String]) -> [String] { rows.filter { row in !remembered.contains { row.hasPrefix($0) } } }
        #expect(try keys(phone.rows()) == keys(before))
    }

    /// After the unlock, and with the right group, all that waited is shown.
    private func expectDrained(_ one: Case) throws {
        try phone.unlock()
        let drained = try phone.drain(now: Backend.start + 3_600)
        guard one.outcome != .opened, one.outcome != .unknownKey else { return #expect(drained.isEmpty) }
        #expect(drained.map(\.outcome) == [.opened] && drained.first?.text == ShownText(title: Self.title, body: "six"))
        #expect(try phone.drain(now: Backend.start + 3_600).isEmpty)
    }

    @Test(arguments: cases) func itIsAsTheClassSays(_ one: Case) throws {
        let payload = try prepare(one)
        try phone.bring(one.lock)
        let before = try phone.rows()
        let service = try InlineExtension(container: phone.container)
        var failure: KeyStoreError?
        try phone.change { store in
            let group = one.presence == .otherGroup ? Self.otherGroup : nil
            let keychain = StoreKeychain(store: store, now: Backend.start, keepsChanges: true, accessGroup: group)
            let result = try service.receive(
                try APNsFile(payload).sealed, opener: SimulatedDevice(store).opener(keychain, now: Backend.start), now: Backend.start)
            #expect(result.outcome == one.outcome)
            expect(result.shown, one)
            failure = keychain.trouble.first
        }
        // Who looks in another group is told of both; whoever is locked out or has no key was answered.
        #expect(failure?.keychainStatus == (one.presence == .otherGroup ? .missingEntitlement : nil))
        if one.presence == .otherGroup {
            #expect(failure?.subject == Self.otherGroup)
            #expect(failure?.reason.contains(StoreConfiguration.standardAccessGroup) == true)
        }
        try expectLeft(one, payload)
        try expectNoNewKeys(one, before)
        try expectDrained(one)
    }

    /// The same by the extension's own process, for one of each outcome.
    @Test(arguments: [
        Case(algorithm: .dir, accessible: .standard, lock: .locked, presence: .present),
        Case(algorithm: .hpke7, accessible: .whenUnlocked, lock: .locked, presence: .present),
        Case(algorithm: .dir, accessible: .whenPasscodeSetThisDeviceOnly, lock: .locked, presence: .present),
        Case(algorithm: .dir, accessible: .standard, lock: .beforeFirstUnlock, presence: .absent),
        Case(algorithm: .dir, accessible: .standard, lock: .unlocked, presence: .otherGroup),
    ]) func itIsSoInAProcessOfItsOwn(_ one: Case) throws {
        let payload = try prepare(one)
        try phone.bring(one.lock)
        let before = try phone.rows()
        let result = try phone.receive(payload) { app in
            if one.presence == .otherGroup { app.accessGroup = Self.otherGroup }
        }
        #expect(result.ending == .delivered)
        expect(try #require(result.shown), one)
        let expected: TelemetryEvent = one.outcome == .opened ? .decryption(.succeeded) : .decryption(.failed(one.outcome))
        #expect(result.events.map(\.event).contains(expected))
        #expect(result.failure?.keychainStatus == (one.presence == .otherGroup ? .missingEntitlement : nil))
        try expectLeft(one, payload)
        try expectNoNewKeys(one, before)
        try expectDrained(one)
    }
}
