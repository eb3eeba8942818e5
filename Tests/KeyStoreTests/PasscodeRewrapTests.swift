import CryptoPrimitives
import EnvelopeFormat
import Testing

@testable import KeyStore

/// A phone whose passcode goes and comes while what unlocks it, and its class keys, are replaced.
@Suite struct PasscodeRewrapTests {
    private static let needy = ClassKeyName.whenPasscodeSetThisDeviceOnly
    private let scene: Scene
    private let keychain: Keychain
    private let work: Argon2idParameters

    init() throws {
        (scene, keychain) = try Scene.keychain(passphrase: "4711")
        work = try Argon2idParameters(passes: 1, memoryMiB: 8)
    }

    private func code(_ text: String = "4711") throws -> UnlockSecret { .passphrase(try .of(text)) }
    private var key: UnlockSecret { .keyFile(path: scene.keyFile) }
    private var other: UnlockSecret { .keyFile(path: scene.root + "/other") }

    private func set(_ present: UnlockSecret) throws {
        try scene.store.setPasscode(try .of("4711"), argon2id: work, current: present, now: scene.now)
    }

    private func rotate(_ secret: UnlockSecret) throws {
        let rotation = try ClassKeyRotation(scene.store, unlockedBy: secret, now: scene.now)
        while try rotation.step() {}
        try rotation.finish()
    }

    /// The numbers of the class's keys, and whether there is only the number any more.
    private func numbers() throws -> [String] {
        try RawDatabase(scene.database).texts(
            """
            SELECT key_version || CASE length(wrap) WHEN 0 THEN ' gone' ELSE '' END FROM class_key
            WHERE name = '\(Self.needy.rawValue)' ORDER BY key_version
            """)
    }

    private func addNeedy(_ account: String) throws {
        try keychain.add(
            service: "s", account: account, value: .value(), accessible: .whenPasscodeSetThisDeviceOnly, now: scene.now)
    }

    private func verify() throws { _ = try scene.store.status(verify: true, now: scene.now) }

    @Test func aKeyMadeAnewHasANumberThatNoneHad() throws {
        #expect(try numbers() == ["1"])
        for number in 2...4 {
            try scene.store.removePasscode(code(), keyFile: scene.keyFile, now: scene.now)
            #expect(try numbers() == ["\(number - 1) gone"])
            #expect(try scene.store.classKeyUse().count == AccessibilityClass.allCases.count - 1)
            try set(key)
            #expect(try numbers() == ["\(number)"])
            try addNeedy("\(number)")
            #expect(try keychain.get(service: "s", account: "\(number)").value != nil)
            try verify()
        }
    }

    @Test func anotherKeyFileIsNoPasscodeAndAPassphraseIsOne() throws {
        try scene.store.removePasscode(code(), keyFile: scene.keyFile, now: scene.now)
        try scene.store.rewrap(key, to: other, now: scene.now)
        #expect(try !scene.store.hasPasscode && numbers() == ["1 gone"])
        #expect(failure { try addNeedy("a") }?.kind == .refused)
        try verify()
        try scene.store.lock(restart: true, now: scene.now)
        #expect(failure { try scene.store.unlock(key, now: scene.now) }?.kind == .authenticationFailed)
        try scene.store.unlock(other, now: scene.now)
        try scene.store.rewrap(other, to: code("0815"), argon2id: work, now: scene.now)
        #expect(try scene.store.hasPasscode && numbers() == ["2"])
        try addNeedy("a")
        // One that is set stays when it is changed, and so does what needs it.
        try scene.store.rewrap(code("0815"), to: code(), now: scene.now)
        try scene.store.rewrap(code(), to: key, now: scene.now)
        #expect(try scene.store.hasPasscode && numbers() == ["2"])
        #expect(try keychain.get(service: "s", account: "a").value != nil)
        try verify()
    }

    @Test func classKeysAreReplacedWithAndWithoutAPasscode() throws {
        try addNeedy("before")
        try rotate(code())
        #expect(try numbers() == ["2"])
        #expect(try keychain.get(service: "s", account: "before").value != nil)
        try scene.store.removePasscode(code(), keyFile: scene.keyFile, now: scene.now)
        #expect(try numbers() == ["2 gone"])
        try rotate(key)
        #expect(try numbers() == ["2 gone"])
        #expect(Set(try scene.store.classKeyUse().map(\.version)) == [3])
        try verify()
        try set(key)
        #expect(try numbers() == ["3"])
        try addNeedy("after")
        try rotate(code())
        #expect(try numbers() == ["4"])
        try scene.store.lock(restart: true, now: scene.now)
        try scene.store.unlock(code(), now: scene.now)
        #expect(try keychain.get(service: "s", account: "after").value != nil)
        try verify()
    }

    /// Whoever replaces class keys goes on when the passcode is removed beneath it, and when it is set again.
    @Test func aPasscodeThatGoesWhileClassKeysAreReplaced() throws {
        try addNeedy("before")
        try keychain.add(service: "s", account: "other", value: .value(), accessible: .whenUnlocked, now: scene.now)
        let rotation = try ClassKeyRotation(scene.store, unlockedBy: code(), now: scene.now)
        #expect(try numbers() == ["1", "2"])
        try scene.store.removePasscode(code(), keyFile: scene.keyFile, now: scene.now)
        #expect(try numbers() == ["2 gone"] && scene.classKey(Self.needy) == nil)
        _ = try rotation.step()
        try set(key)
        #expect(try numbers() == ["3"])
        try addNeedy("after")
        while try rotation.step() {}
        try rotation.finish()
        #expect(try numbers() == ["3"])
        for account in ["after", "other"] { #expect(try keychain.get(service: "s", account: account).value != nil) }
        #expect(failure { _ = try keychain.get(service: "s", account: "before") }?.kind == .notFound)
        try verify()
        try rotate(code())
        #expect(try numbers() == ["4"])
        try verify()
    }

    /// The number of a key that is gone is sealed as every row is, and counted.
    @Test func theNumberThatIsKeptCannotBeEdited() throws {
        try scene.store.removePasscode(code(), keyFile: scene.keyFile, now: scene.now)
        let database = try RawDatabase(scene.database)
        let row = "name = '\(Self.needy.rawValue)'"
        for edit in ["DELETE FROM class_key WHERE \(row)", "UPDATE class_key SET wrap = x'00' WHERE \(row)"] {
            try database.edit(edit, of: [.classKey]) {
                #expect(failure { try verify() }?.kind == .damaged)
            }
        }
        try database.edit("UPDATE class_key SET wrap = x'' WHERE name = 'when-unlocked'", of: [.classKey]) {
            #expect(failure { try scene.store.unlock(key, now: scene.now) }?.kind == .damaged)
        }
        try verify()
    }
}
