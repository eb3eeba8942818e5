import DeviceEmulation
import EnvelopeFormat
import Foundation
import OpenerNSE
import Testing

@testable import OpenerNSEApple

/// The extension from end to end, in every lock state, for every class, with and without keys, and in wrong groups.
@Suite struct LockStateTests {
    /// Where the extension looks for the key.
    enum Place: CaseIterable {
        case present
        case absent
        /// An access group that the extension is entitled to besides, and the app does not use.
        case otherGroup
        /// An access group that the extension is not entitled to.
        case foreignGroup
    }

    struct Case: Sendable, CustomTestStringConvertible {
        let lock: DeviceLock
        let accessible: AccessibilityClass
        let place: Place
        let algorithm: KeyAlgorithm
        var testDescription: String { "\(lock) \(accessible.rawValue) \(place) \(algorithm.rawValue)" }

        /// nil: it opens.
        var outcome: Outcome? {
            switch (place, lock) {
            case (.otherGroup, _), (.foreignGroup, _): .storeUnavailable
            case (_, .beforeFirstUnlock): .keyLocked
            case (.absent, _): .unknownKey
            case (.present, .unlocked): nil
            case (.present, .locked): accessible.isReadable(in: .locked) ? nil : .keyLocked
            case (.present, .withoutPasscode): accessible == .whenPasscodeSetThisDeviceOnly ? .keyRetired : nil
            }
        }

        /// What the log has to have in one line.
        func logged(_ phone: FacePhone) -> [String] {
            switch (place, outcome) {
            case (.otherGroup, _): ["error", "-25300", phone.otherGroup, phone.keychainGroup, "keychain-access-groups"]
            case (.foreignGroup, _): ["error", "-34018", phone.foreignGroup, "keychain-access-groups"]
            case (_, .keyLocked): ["notice", "-25308", "locked"]
            default: []
            }
        }
    }

    static let cases: [Case] = DeviceLock.allCases.flatMap { lock in
        AccessibilityClass.allCases.flatMap { accessible in
            Place.allCases.flatMap { place in
                [KeyAlgorithm.dir, .hpke7].map { Case(lock: lock, accessible: accessible, place: place, algorithm: $0) }
            }
        }
    }

    @Test(arguments: cases) func itOpensOrWaitsOrIsAskedFor(_ one: Case) throws {
        let phone = try FacePhone()
        let app = try phone.app()
        let document = try app.identity.make(name: "phone")
        if one.place != .absent { try phone.hold(algorithm: one.algorithm, accessible: one.accessible) }
        var settings = phone.settings
        if one.place == .otherGroup { settings.keychainGroup = phone.otherGroup }
        if one.place == .foreignGroup { settings.keychainGroup = phone.foreignGroup }
        phone.device.lockState = one.lock
        let before = phone.device.items

        let sealed = try phone.seal(to: one.algorithm == .hpke7 ? document : nil)
        let content = try Push.show(sealed, on: phone, settings)

        let decryption = try app.telemetry().decryption
        #expect(decryption.failed == (one.outcome.map { [$0: 1] } ?? [:]) && decryption.succeeded == (one.outcome == nil ? 1 : 0))
        #expect([content.title, content.body] == (one.outcome == nil ? ["Anna", "inside 0"] : ["Chat", "New message (ours)"]))
        #expect(content.attachments.isEmpty && content.userInfo.isEmpty)
        // No key is made, none goes.
        #expect(phone.device.items == before)
        let waits = one.outcome == .keyLocked || one.outcome == .storeUnavailable
        #expect(try GroupContainer(phone.appGroup).queue.count() == (waits ? 1 : 0))
        #expect(try app.takeBundleNotes().map(\.kid) == (one.outcome == .unknownKey ? [try phone.kid()] : []))
        let logged = one.logged(phone)
        #expect(logged.isEmpty || phone.lines.contains { line in logged.allSatisfy { line.contains($0) } }, "\(phone.lines)")
    }

    @Test func withoutAContainerItIsShownAndLogged() throws {
        let phone = try FacePhone()
        try phone.provision()
        var settings = phone.settings
        settings.appGroup = "group.of.nobody"
        #expect(try Push.show(try phone.seal(), on: phone, settings).body == "inside 0")
        #expect(phone.lines.contains { $0.contains("group.of.nobody") && $0.contains("application-groups") })
    }

    @Test func settingsThatWereNotOverriddenAreLogged() throws {
        let delivered = Delivered()
        OpenerServiceExtension().didReceive(Push.request("x"), withContentHandler: delivered.handler)
        #expect(try delivered.content().body == "New message")
    }

    /// Each with a line of its own: the one is overridden in the subclass, the other may be missing in an Info.plist.
    @Test func anEmptyGroupIsNamed() throws {
        let phone = try FacePhone()
        var settings = phone.settings
        settings.keychainGroup = ""
        #expect(try Push.show("x", on: phone, settings).body == "New message (ours)")
        #expect(phone.lines.contains { $0.contains("the keychain group is empty") && $0.contains("Info.plist") })
        #expect(!phone.lines.contains { $0.contains("the App Group is empty") })
        (settings.appGroup, settings.keychainGroup) = ("", phone.keychainGroup)
        #expect(try Push.show("x", on: phone, settings).body == "New message (ours)")
        #expect(phone.lines.contains { $0.contains("the App Group is empty") })
        #expect(phone.lines.filter { $0.contains("the keychain group is empty") }.count == 1)
    }

    @Test func noLineHasKeysOrContent() throws {
        let phone = try FacePhone()
        try phone.provision(accessible: .whenUnlocked)
        phone.device.lockState = .locked
        let sealed = try phone.seal()
        _ = try Push.show(sealed, on: phone)
        #expect(!phone.lines.isEmpty)
        for line in phone.lines {
            for word in ["inside", "Anna", "conv-1", sealed] { #expect(!line.contains(word)) }
        }
    }
}
