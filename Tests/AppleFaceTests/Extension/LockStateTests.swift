import DeviceEmulation
import EnvelopeFormat
import Foundation
import Testing

@testable import OpenerNSEApple

/// The extension from end to end, in every lock state, for every class, with and without keys, and in the wrong group.
@Suite struct LockStateTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let lock: DeviceLock
        let accessible: AccessibilityClass
        let algorithm: KeyAlgorithm
        var testDescription: String { "\(lock) \(accessible.rawValue) \(algorithm.rawValue)" }
    }

    static let cases: [Case] = DeviceLock.allCases.flatMap { lock in
        AccessibilityClass.allCases.filter(\.isProvisionable).flatMap { accessible in
            [KeyAlgorithm.dir, .hpke7].map { Case(lock: lock, accessible: accessible, algorithm: $0) }
        }
    }

    @Test(arguments: cases) func aKeyThatIsThereOpensInTheStatesOfItsClass(_ one: Case) throws {
        let phone = try FacePhone()
        let document = try phone.provision(algorithm: one.algorithm, accessible: one.accessible)
        phone.device.lockState = one.lock
        let sealed = try phone.seal(to: one.algorithm == .hpke7 ? document : nil)
        let content = try Push.show(sealed, on: phone)
        let opens =
            switch one.lock {
            case .unlocked: true
            case .locked: one.accessible == .afterFirstUnlock || one.accessible == .afterFirstUnlockThisDeviceOnly
            case .beforeFirstUnlock: false
            }
        #expect(content.body == (opens ? "inside 0" : "New message (ours)"))
        #expect(try waiting(phone) == (opens ? 0 : 1))
        if !opens { #expect(phone.lines.contains { $0.contains("-25308") }) }
    }

    @Test(arguments: DeviceLock.allCases) func aKeyThatIsAbsentIsAskedFor(_ lock: DeviceLock) throws {
        let phone = try FacePhone()
        let app = try phone.app()
        _ = try app.identity.make(name: "phone")
        phone.device.lockState = lock
        let content = try Push.show(try phone.seal(), on: phone)
        #expect(content.body == "New message (ours)")
        let isReadable = lock != .beforeFirstUnlock
        #expect(try waiting(phone) == (isReadable ? 0 : 1))
        #expect(try app.takeBundleNotes().map(\.kid) == (isReadable ? [try phone.kid()] : []))
        #expect(try app.takeBundleNotes().isEmpty)
    }

    @Test func aGroupThatTheProcessIsNotEntitledToIsLogged() throws {
        let phone = try FacePhone()
        try phone.provision()
        var settings = phone.settings
        settings.keychainGroup = "group.of.somebody.else"
        let content = try Push.show(try phone.seal(), on: phone, settings)
        #expect(content.body == "New message (ours)")
        #expect(phone.lines.contains { $0.contains("error") && $0.contains("-34018") && $0.contains("group.of.somebody.else") })
        #expect(try waiting(phone) == 1)
    }

    @Test func anotherGroupOfTheProcessIsLoggedAndIsNotAnEmptyOne() throws {
        let phone = try FacePhone()
        try phone.provision()
        var settings = phone.settings
        settings.keychainGroup = phone.otherGroup
        let content = try Push.show(try phone.seal(), on: phone, settings)
        #expect(content.body == "New message (ours)")
        #expect(
            phone.lines.contains { $0.contains("-25300") && $0.contains(phone.otherGroup) && $0.contains(phone.keychainGroup) })
        #expect(try waiting(phone) == 1)
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

    /// The entry is settled before the handler is called.
    private func waiting(_ phone: FacePhone) throws -> Int { try GroupContainer(phone.appGroup).queue.count() }
}
