import CryptoPrimitives
import EnvelopeFormat
import Foundation
import OpenerNSE
import Testing

@testable import OpenerNSEApple

/// An identity is made once and never replaced in silence.
@Suite struct IdentityTests {
    @Test func itIsMadeOnceAndItsDocumentComesAgain() throws {
        let phone = try FacePhone()
        let app = try phone.app()
        #expect(try app.identity.thumbprint() == nil)
        #expect(throws: DeviceSetupError.noIdentity) { try app.identity.enrollmentDocument() }
        let document = try app.identity.make(name: "Anna's phone")
        #expect(throws: DeviceSetupError.identityExists(document.thumbprint)) { try app.identity.make(name: "other") }
        let again = try phone.app().identity.enrollmentDocument()
        #expect(again.json() == document.json() && again.name == "Anna's phone")
        guard case .value(let key) = try phone.keychain().deviceKey() else { return #expect(Bool(false), "no device key") }
        #expect(DeviceThumbprint(of: key.publicKey) == document.thumbprint)
    }

    @Test func aNameThatCannotBeLeavesNothing() throws {
        let phone = try FacePhone()
        for name in ["", String(repeating: "x", count: 129)] {
            let error = #expect(throws: DeviceSetupError.self) { try phone.app().identity.make(name: name) }
            guard case .badInput(let reason) = error else { return #expect(Bool(false), "\(String(describing: error))") }
            #expect(reason.field == "name")
        }
        #expect(phone.device.items.isEmpty)
    }

    @Test func beforeTheFirstUnlockItIsLockedAndNotAbsent() throws {
        let phone = try FacePhone()
        try phone.provision()
        phone.device.lockState = .beforeFirstUnlock
        let app = try phone.app()
        for body in [
            { _ = try app.identity.thumbprint() }, { _ = try app.identity.make(name: "x") }, { _ = try app.identity.enrollmentDocument() },
        ] {
            let error = #expect(throws: DeviceSetupError.self) { try body() }
            guard case .keychain(let reason) = error else { return #expect(Bool(false), "\(String(describing: error))") }
            #expect(reason.isLocked)
        }
    }

    @Test func oneThatTheKeychainHasNotIsLostAndReplacedOnlyWhenAskedTo() throws {
        let phone = try FacePhone()
        let old = try phone.provision()
        // As after a restore on another phone: the container came along, the keychain did not.
        var settings = phone.settings
        settings.keychainGroup = phone.otherGroup
        let app = try OpenerApp(settings)
        #expect(throws: DeviceSetupError.identityLost(old.thumbprint)) { try app.identity.thumbprint() }
        #expect(throws: DeviceSetupError.identityLost(old.thumbprint)) { try app.identity.make(name: "x") }
        let new = try app.identity.make(name: "x", replacingLost: true)
        #expect(try app.identity.thumbprint() == new.thumbprint && new.thumbprint != old.thumbprint)
        #expect(throws: DeviceSetupError.identityExists(new.thumbprint)) { try app.identity.make(name: "x", replacingLost: true) }
    }

    @Test func anAppThatWasInstalledAgainIsTheSameDevice() throws {
        let phone = try FacePhone()
        let document = try phone.provision()
        let path = try GroupContainer(phone.appGroup).directory.path
        try FileManager.default.removeItem(atPath: path)
        #expect(try phone.app().identity.thumbprint() == document.thumbprint)
        // What was opened before is not known any more: it is shown, and not taken for new.
        #expect(try Push.show(try phone.seal(), on: phone).body == "inside 0")
        #expect(phone.lines.contains { $0.contains("replay record: it is not there") })
        var wrong = phone.settings
        wrong.keychainGroup = phone.otherGroup
        #expect(try Push.show(try phone.seal(1), on: phone, wrong).body == "New message (ours)")
        #expect(phone.lines.contains { $0.contains("-25300") })
    }
}
