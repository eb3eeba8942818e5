import CryptoPrimitives
import EnvelopeFormat
import Glibc
import Testing

@testable import KeyStore

/// What a removed passcode means, and one that is set again.
@Suite struct KeychainPasscodeTests {
    private static let work = try! Argon2idParameters(passes: 1, memoryMiB: 8)

    private static func code(_ text: String = "4711") throws -> UnlockSecret { .passphrase(try .of(text)) }

    @Test func whatNeedsAPasscodeGoesWithIt() throws {
        let (scene, keychain) = try Scene.keychain(passphrase: "4711")
        for accessible in AccessibilityClass.allCases {
            try keychain.add(
                service: accessible.rawValue, account: "a", value: .value(), accessible: accessible, now: 1)
        }
        let wraps = try RawDatabase(scene.database).texts(
            """
            SELECT hex(value) FROM item WHERE class_key = 'when-passcode-set-this-device-only'
            UNION ALL SELECT hex(wrap) FROM class_key
            """
        ).map(Hexadecimal.bytes)
        #expect(wraps.count == 1 + ClassKeyName.allCases.count)
        let key = try #require(try scene.classKey(.whenPasscodeSetThisDeviceOnly))
        #expect(try scene.store.hasPasscode)
        let generation = scene.store.generation.read().completed

        try scene.store.removePasscode(try Self.code(), keyFile: scene.keyFile, now: 2)
        #expect(try !scene.store.hasPasscode)
        #expect(scene.store.generation.read().completed > generation)
        let service = AccessibilityClass.whenPasscodeSetThisDeviceOnly.rawValue
        #expect(status { _ = try keychain.get(service: service, account: "a") } == .itemNotFound)
        #expect(try keychain.search(returningValues: true).count == AccessibilityClass.allCases.count - 1)
        #expect(try scene.classKey(.whenPasscodeSetThisDeviceOnly) == nil)
        #expect(try scene.store.status(now: 3).erasurePending == false)
        for wrap in wraps { #expect(try !scene.filesHold(wrap)) }
        #expect(try !scene.filesHold(key.withBytes { Array($0) }))

        // The passcode unlocks nothing any more, the key file does.
        try scene.bring(.beforeFirstUnlock)
        #expect(status { try scene.store.unlock(try Self.code(), now: 4) } == .authenticationFailed)
        try scene.bring(.unlocked)
        #expect(try scene.store.status(verify: true, now: 5).verifiedRows != nil)
        #expect(try keychain.search(returningValues: true).count == AccessibilityClass.allCases.count - 1)
    }

    @Test func withoutOneWhatNeedsOneIsRefusedByName() throws {
        let (scene, keychain) = try Scene.keychain(passphrase: "4711")
        try scene.store.removePasscode(try Self.code(), keyFile: scene.keyFile, now: 2)
        try keychain.add(service: "s", account: "a", value: .value(), accessible: .whenUnlocked, now: 3)
        let before = try scene.rowCounts()
        let attempts: [() throws -> Void] = [
            { try keychain.add(service: "s", account: "b", value: .value(), accessible: .whenPasscodeSetThisDeviceOnly, now: 3) },
            { try keychain.setAccessibility(.whenPasscodeSetThisDeviceOnly, service: "s", account: "a", now: 3) },
        ]
        for attempt in attempts {
            let error = failure(attempt)
            #expect(error?.kind == .refused && error?.keychainStatus == .authenticationFailed)
            #expect(error?.reason == "no passcode is set, and when-passcode-set-this-device-only needs one")
        }
        #expect(try scene.rowCounts() == before)
        #expect(try keychain.get(service: "s", account: "a").accessible == .whenUnlocked)
    }

    @Test func aPasscodeSetAgainHasAFreshClassKey() throws {
        let (scene, keychain) = try Scene.keychain(passphrase: "4711")
        let old = try #require(try scene.classKey(.whenPasscodeSetThisDeviceOnly))
        try scene.store.removePasscode(try Self.code(), keyFile: scene.keyFile, now: 2)
        try scene.store.setPasscode(
            try .of("0815"), argon2id: Self.work, current: .keyFile(path: scene.keyFile), now: 3)
        #expect(try scene.store.hasPasscode)
        let fresh = try #require(try scene.classKey(.whenPasscodeSetThisDeviceOnly))
        #expect(!fresh.isSame(as: old))
        let value = SymmetricKey.value()
        try keychain.add(service: "s", account: "a", value: value, accessible: .whenPasscodeSetThisDeviceOnly, now: 4)
        try scene.bring(.beforeFirstUnlock)
        for wrong in [UnlockSecret.keyFile(path: scene.keyFile), try Self.code("4711")] {
            #expect(status { try scene.store.unlock(wrong, now: 5) } == .authenticationFailed)
        }
        try scene.store.unlock(try Self.code("0815"), now: 6)
        #expect(try keychain.get(service: "s", account: "a").value == value)
        _ = try scene.store.status(verify: true, now: 7)
    }

    /// A passcode that is set while the phone is locked puts no class key within reach.
    @Test func settingAPasscodeUnlocksNothing() throws {
        let (scene, _) = try Scene.keychain(passphrase: "4711")
        try scene.store.removePasscode(try Self.code(), keyFile: scene.keyFile, now: 2)
        for restart in [false, true] {
            try scene.store.lock(restart: restart, now: 3)
            let state = try scene.store.lockState
            if restart {
                try scene.store.removePasscode(try Self.code("0815"), keyFile: scene.keyFile, now: 4)
            }
            try scene.store.setPasscode(
                try .of("0815"), argon2id: Self.work, current: .keyFile(path: scene.keyFile), now: 4)
            #expect(try scene.store.lockState == state)
            #expect(try scene.classKey(.whenPasscodeSetThisDeviceOnly) == nil)
        }
    }

    @Test func anEpochThatNeedsOneIsRefusedAndNotCalledLocked() throws {
        let (scene, _) = try Scene.keychain(passphrase: "4711")
        try scene.store.removePasscode(try Self.code(), keyFile: scene.keyFile, now: 2)
        let error = failure {
            try DeviceStore(scene.store).transaction(now: 3) { (transaction) throws(KeyStoreError) in
                try transaction.add(
                    HeldEpochRecord(
                        conversation: try! .of("chat-1"), algorithm: .dir,
                        kid: try! KeyIdentifier(handle: Handle("AAAAAAAAAAAAAAAA")!, epoch: 0),
                        accessible: .whenPasscodeSetThisDeviceOnly, installOrder: 1),
                    secret: try! ConversationSecret(.value(32)))
            }
        }
        #expect(error?.kind == .refused && error?.subject == "epoch AAAAAAAAAAAAAAAA.0")
    }

    /// What was revoked loses its bytes and stays known, so that no bundle and no file brings it back.
    @Test func theNamesOfWhatWasRevokedStay() throws {
        let (scene, _) = try Scene.keychain(passphrase: "4711")
        let (device, chat) = (try DeviceStore(scene.store), try ConversationIdentifier("chat-1"))
        let kid = try KeyIdentifier(handle: try #require(Handle("AAAAAAAAAAAAAAAA")), epoch: 0)
        let secret = try ConversationSecret(.value(32))
        try device.transaction(now: 1) { (held) throws(KeyStoreError) in
            try held.add(
                HeldEpochRecord(
                    conversation: chat, algorithm: .dir, kid: kid, accessible: .whenPasscodeSetThisDeviceOnly,
                    installOrder: 1), secret: secret)
        }
        try device.revoke(chat, now: 2)
        try scene.store.removePasscode(try Self.code(), keyFile: scene.keyFile, now: 3)
        let held = try device.reading { (held) throws(KeyStoreError) in try held.heldEpochs() }
        #expect(held.map(\.kid) == [kid] && held[0].state == .compromised && held[0].secret.value == nil)
        _ = try scene.store.status(verify: true, now: 4)
    }

    @Test func aRehearsedRemovalMakesNoFileAndRemovesNothing() throws {
        let (scene, keychain) = try Scene.keychain(passphrase: "4711")
        try keychain.add(service: "s", account: "a", value: .value(), accessible: .whenPasscodeSetThisDeviceOnly, now: 1)
        let inside = try scene.store.rehearse { store in
            try store.removePasscode(try Self.code(), keyFile: scene.keyFile, now: 2)
            return (try store.hasPasscode, status { _ = try Keychain(store).get(service: "s", account: "a") })
        }
        #expect(!inside.0 && inside.1 == .itemNotFound)
        #expect(try scene.store.hasPasscode && keychain.get(service: "s", account: "a").value != nil)
        #expect(access(scene.keyFile, F_OK) != 0)
    }

    @Test func aWrongPasscodeChangesNothing() throws {
        let (scene, keychain) = try Scene.keychain(passphrase: "4711")
        try keychain.add(service: "s", account: "a", value: .value(), accessible: .whenPasscodeSetThisDeviceOnly, now: 1)
        let before = try scene.rowCounts()
        #expect(
            status { try scene.store.removePasscode(try Self.code("0815"), keyFile: scene.keyFile, now: 2) }
                == .authenticationFailed)
        #expect(try scene.rowCounts() == before)
        #expect(try keychain.get(service: "s", account: "a").value != nil)
    }

    @Test func eachIsRefusedWhereTheOtherIsMeant() throws {
        let (scene, _) = try Scene.keychain(passphrase: "4711")
        let set = failure {
            try scene.store.setPasscode(try .of("1"), argon2id: Self.work, current: try Self.code(), now: 2)
        }
        #expect(set?.kind == .refused && set?.reason == "a passcode is set already")
        try scene.store.removePasscode(try Self.code(), keyFile: scene.keyFile, now: 2)
        let removed = failure {
            try scene.store.removePasscode(.keyFile(path: scene.keyFile), keyFile: scene.keyFile, now: 2)
        }
        #expect(removed?.kind == .refused && removed?.reason == "no passcode is set")
        let sealer = try Scene(.sealer)
        let wrongRole = failure {
            try sealer.store.removePasscode(.keyFile(path: sealer.keyFile), keyFile: sealer.keyFile, now: 2)
        }
        #expect(wrongRole?.kind == .wrongRole)
    }

    /// A key file that a phone was made with stands in for a passcode, and is removed as one.
    @Test func aKeyFileInPlaceOfAPasscodeIsRemovedAsOne() throws {
        let (scene, keychain) = try Scene.keychain()
        try keychain.add(service: "s", account: "a", value: .value(), accessible: .whenPasscodeSetThisDeviceOnly, now: 1)
        #expect(try scene.store.hasPasscode)
        try scene.store.removePasscode(.keyFile(path: scene.keyFile), keyFile: scene.keyFile, now: 2)
        #expect(status { _ = try keychain.get(service: "s", account: "a") } == .itemNotFound)
        try scene.bring(.locked)
        try scene.bring(.unlocked)
        #expect(try !scene.store.hasPasscode)
    }

    /// Keys of conversations in that class are items of it too.
    @Test func whateverIsOfTheClassIsDestroyed() throws {
        let (scene, keychain) = try Scene.keychain(passphrase: "4711")
        let device = try DeviceStore(scene.store)
        _ = try device.makeIdentity(name: "phone", now: 1)
        try keychain.setIdentityAccessibility(.whenPasscodeSetThisDeviceOnly, now: 2)
        try scene.store.removePasscode(try Self.code(), keyFile: scene.keyFile, now: 3)
        #expect(try device.identityThumbprint() == nil)
        #expect(failure { _ = try device.enrollmentDocument() }?.kind == .notFound)
        _ = try device.makeIdentity(name: "phone", now: 4)
    }
}
