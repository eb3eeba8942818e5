import EnvelopeFormat
import Glibc
import Testing

@testable import KeyStore

@Suite struct KeybagTests {
    @Test func aPassphraseUnlocksAndAnotherDoesNot() throws {
        let scene = try Scene(.device, passphrase: "correct horse")
        #expect(try scene.store.lockState == .unlocked)
        try scene.store.lock(restart: true, now: scene.now)
        #expect(try scene.store.lockState == .beforeFirstUnlock)
        let wrong = failure { try scene.store.unlock(.passphrase(.of("correct house")), now: scene.now) }
        #expect(wrong == KeyStoreError(.authenticationFailed, scene.directory, "the passphrase is wrong"))
        #expect(try scene.store.lockState == .beforeFirstUnlock)
        try scene.store.unlock(.passphrase(.of("correct horse")), now: scene.now)
        #expect(try scene.store.lockState == .unlocked)
        #expect(failure { try scene.store.unlock(nil, now: scene.now) }?.kind == .badInput)
    }

    @Test func aKeyFileUnlocksADeviceStoreThatNeverRecordsIt() throws {
        let scene = try Scene(.device)
        var status = stat()
        #expect(stat(scene.keyFile, &status) == 0 && status.st_mode & 0o7777 == 0o600 && status.st_size == 32)
        try scene.store.lock(restart: true, now: scene.now)
        #expect(failure { try scene.store.unlock(nil, now: scene.now) }?.kind == .badInput)
        let other = try Scene(.device)
        let wrong = failure { try scene.store.unlock(.keyFile(path: other.keyFile), now: scene.now) }
        #expect(wrong == KeyStoreError(.authenticationFailed, scene.directory, "the key file does not unlock it"))
        try scene.store.unlock(.keyFile(path: scene.keyFile), now: scene.now)
        #expect(try scene.store.lockState == .unlocked)
        let database = try RawDatabase(scene.database)
        #expect(try database.text("SELECT count(*) FROM store WHERE key_file IS NULL") == "1")
    }

    @Test func aSealerStoreFindsItsKeyFileAndStopsOnDemand() throws {
        let scene = try Scene(.sealer)
        #expect(try scene.reopened().lockState == .unlocked)
        #expect(try scene.store.status(now: scene.now).sessionHolder == "key file")
        try scene.store.lock(restart: false, now: scene.now)
        let other = try scene.reopened()
        #expect(try other.lockState == .locked)
        #expect(failure { _ = try SealerStore(other).conversations() }?.kind == .locked)
        try scene.store.lock(restart: true, now: scene.now)
        #expect(try other.lockState == .beforeFirstUnlock)
        try other.unlock(nil, now: scene.now)
        #expect(try scene.store.lockState == .unlocked)
        #expect(try SealerStore(other).conversations().isEmpty)
    }

    @Test func aSealerStoreWithAPassphraseIsLockedCryptographically() throws {
        let scene = try Scene(.sealer, passphrase: "pass")
        let sealer = try SealerStore(scene.store)
        _ = try sealer.idempotencyKey()
        try scene.store.lock(restart: true, now: scene.now)
        #expect(failure { _ = try sealer.idempotencyKey() }?.kind == .locked)
        #expect(try scene.store.lockState == .beforeFirstUnlock)
        try scene.store.unlock(.passphrase(.of("pass")), now: scene.now)
        _ = try sealer.idempotencyKey()
    }

    @Test(arguments: [("passes", 0), ("passes", 11), ("memory_mib", 7), ("memory_mib", 1_025), ("memory_mib", 1 << 40)])
    func hostileWorkIsRefusedBeforeItIsDone(column: String, value: Int) throws {
        let scene = try Scene(.device, passphrase: "pass")
        let database = try RawDatabase(scene.database)
        try scene.store.lock(restart: true, now: scene.now)
        try database.edit("UPDATE slot SET \(column) = \(value)") {
            let error = failure { try scene.store.unlock(.passphrase(.of("pass")), now: scene.now) }
            #expect(error?.kind == .damaged)
            #expect(error?.reason == "its Argon2id parameters are outside what is accepted")
        }
        try scene.store.unlock(.passphrase(.of("pass")), now: scene.now)
    }

    @Test func aWrapFromAnotherSlotIsDamage() throws {
        let scene = try Scene(.device, passphrase: "pass")
        let database = try RawDatabase(scene.database)
        try scene.store.lock(restart: true, now: scene.now)
        let swap = """
            UPDATE class_key SET wrap = (SELECT wrap FROM class_key WHERE name = 'integrity') WHERE name = 'when-unlocked'
            """
        try database.edit(swap) {
            let error = failure { try scene.store.unlock(.passphrase(.of("pass")), now: scene.now) }
            #expect(error?.kind == .damaged && error?.subject.contains("when-unlocked") == true)
        }
        #expect(try scene.store.lockState == .beforeFirstUnlock)
    }

    /// No secret could unlock these, so it was not the secret that was wrong.
    @Test(arguments: [
        ("UPDATE slot SET id = 'other'", "row class_key/", "its slot is not there"),
        ("DELETE FROM slot", "row class_key/", "its slot is not there"),
        (
            "UPDATE class_key SET slot = 'other', id = 'other/' || name || '/1'", "row class_key/other/", "its slot is not there"
        ),
        ("DELETE FROM class_key", "row slot/", "its class keys are not there"),
        ("DELETE FROM class_key; DELETE FROM slot", "row slot", ""),
    ]) func aKeybagOfRowsThatReferToNothingIsDamage(edit: String, subject: String, reason: String) throws {
        for role in [StoreRole.device, .sealer] {
            let scene = try Scene(role)
            if role == .device { try scene.store.lock(restart: true, now: scene.now) }
            try RawDatabase(scene.database).run(edit)
            let store = scene.store
            let secret = UnlockSecret.keyFile(path: scene.keyFile)
            var errors = [failure { try store.unlock(secret, now: scene.now) }]
            if role == .sealer { errors.append(failure { _ = try SealerStore(store).conversations() }) }
            for error in errors {
                #expect(error?.kind == .damaged && error?.subject.hasPrefix(subject) == true, "\(String(describing: error))")
                #expect(reason.isEmpty || error?.reason == reason)
            }
        }
    }

    @Test func oneClassKeyThatIsGoneIsDamageWhateverTheSecret() throws {
        let scene = try Scene(.sealer)
        try RawDatabase(scene.database).run("DELETE FROM class_key WHERE name = 'integrity'")
        let error = failure { _ = try SealerStore(scene.store).conversations() }
        #expect(error?.kind == .damaged && error?.reason.hasSuffix("not there") == true)
        let other = try Scene(.device)
        let wrong = failure { try scene.store.unlock(.keyFile(path: other.keyFile), now: scene.now) }
        #expect(wrong?.kind == .damaged && wrong?.subject.hasSuffix("/integrity") == true)
    }

    @Test(arguments: [UInt32(0o644), 0o640, 0o604]) func aKeyFileOthersReadIsRefused(mode: UInt32) throws {
        let scene = try Scene(.sealer)
        #expect(chmod(scene.keyFile, mode) == 0)
        let error = failure { _ = try SealerStore(scene.store).conversations() }
        #expect(error?.kind == .permission && error?.subject == scene.keyFile)
        #expect(error?.reason == "mode 0\(String(mode, radix: 8)) lets others read it")
    }

    @Test func aKeyFileThatIsGoneIsNeitherLockedNorMadeAnew() throws {
        let scene = try Scene(.sealer)
        #expect(unlink(scene.keyFile) == 0)
        let error = failure { _ = try SealerStore(scene.store).conversations() }
        #expect(error?.kind == .unavailable && error?.subject == scene.keyFile)
        #expect(access(scene.keyFile, F_OK) != 0)
    }

    @Test func aKeyFileBehindALinkOrOfAnotherLengthIsRefused() throws {
        let scene = try Scene(.device)
        let link = scene.root + "/link"
        #expect(symlink(scene.keyFile, link) == 0)
        #expect(failure { try scene.store.unlock(.keyFile(path: link), now: scene.now) }?.kind == .permission)
        #expect(truncate(scene.keyFile, 31) == 0)
        let error = failure { try scene.store.unlock(.keyFile(path: scene.keyFile), now: scene.now) }
        #expect(error == KeyStoreError(.badInput, scene.keyFile, "31 bytes where 32 are needed"))
    }

    @Test func lockingTakesTheWhenUnlockedKeysAlone() throws {
        let scene = try Scene(.device)
        try scene.store.lock(restart: false, now: scene.now)
        #expect(try scene.reopened().lockState == .locked)
        for name in ClassKeyName.allCases {
            let key = try scene.store.read { (rows) throws(KeyStoreError) in try rows.cipher.keys.key(name) }
            #expect((key == nil) == name.isEvictedByLock(of: .device), "\(name)")
        }
    }

    @Test func sessionNamesAreShortAndTheirOwn() {
        let names = ClassKeyName.allCases.map(\.sessionName)
        #expect(Set(names).count == names.count && names.allSatisfy { $0.utf8.count <= 32 })
    }
}
