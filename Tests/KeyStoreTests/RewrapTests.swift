import CryptoPrimitives
import EnvelopeFormat
import Glibc
import Testing

@testable import KeyStore

@Suite struct RewrapTests {
    private let cheap: Argon2idParameters

    init() throws { cheap = try Argon2idParameters(passes: 1, memoryMiB: 8) }

    private func secret(_ text: String) throws -> UnlockSecret { .passphrase(try .of(text)) }

    @Test(arguments: [StoreRole.device, .sealer]) func anotherPassphraseUnlocksAndTheOldDoesNot(role: StoreRole) throws {
        let scene = try Scene(role, passphrase: "old")
        let before = try keys(of: scene.store)
        #expect(
            failure { try scene.store.rewrap(secret("wrong"), to: secret("new"), now: scene.now) }?.kind
                == .authenticationFailed)
        try scene.store.rewrap(secret("old"), to: secret("new"), now: scene.now)
        // Sessions go on with the same class keys, and the slot's work is what it was.
        #expect(try scene.reopened().lockState == .unlocked)
        #expect(try same(before, keys(of: scene.reopened())))
        #expect(try scene.store.unlockWay() == .passphrase(cheap))
        try scene.store.lock(restart: true, now: scene.now)
        #expect(failure { try scene.store.unlock(secret("old"), now: scene.now) }?.kind == .authenticationFailed)
        try scene.store.unlock(secret("new"), now: scene.now)
        #expect(try scene.store.status(verify: true, now: scene.now).erasurePending == false)
        let database = try RawDatabase(scene.database)
        #expect(try database.text("SELECT count(*) FROM slot") == "1")
        #expect(try database.text("SELECT count(*) FROM class_key") == String(ClassKeyName.allCases.count))
    }

    /// Neither in the database nor in its log is a wrap that the old passphrase would open.
    @Test func theOldWrapsAreShredded() throws {
        let scene = try Scene(.device, passphrase: "old")
        let wraps = try scene.store.storage.read { (rows) throws(KeyStoreError) in
            try Keybag(store: scene.store.identifier, in: rows).classKeys.map(\.record.wrap)
        }
        #expect(try occurrences(of: wraps, in: scene) == wraps.count)
        try scene.store.rewrap(secret("old"), to: secret("new"), now: scene.now)
        #expect(try occurrences(of: wraps, in: scene) == 0)
    }

    @Test func moreWorkForTheSamePassphrase() throws {
        let scene = try Scene(.device, passphrase: "pass")
        let work = try Argon2idParameters(passes: 2, memoryMiB: 9)
        try scene.store.rewrap(secret("pass"), to: secret("pass"), argon2id: work, now: scene.now)
        #expect(try scene.store.unlockWay() == .passphrase(work))
        try scene.store.lock(restart: true, now: scene.now)
        try scene.store.unlock(secret("pass"), now: scene.now)
    }

    @Test func aSealerStoreGoesToAKeyFileAndBackUnderARunningProcess() throws {
        let scene = try Scene(.sealer, passphrase: "pass")
        let running = try SealerStore(try scene.reopened())
        let file = scene.root + "/other"
        try scene.store.rewrap(secret("pass"), to: .keyFile(path: file), now: scene.now)
        #expect(try scene.reopened().unlockWay() == .keyFile(path: file))
        #expect(try scene.reopened().knowsKeyFile)
        _ = try running.idempotencyKey()
        #expect(try running.store.status(now: scene.now).sessionHolder == "key file")
        // The file is needed now: the session does not hold what it opens.
        #expect(rename(file, file + "-away") == 0)
        #expect(failure { _ = try running.idempotencyKey() }?.kind == .unavailable)
        #expect(rename(file + "-away", file) == 0)
        let another = scene.root + "/another"
        try scene.store.rewrap(nil, to: .keyFile(path: another), now: scene.now)
        #expect(unlink(file) == 0)
        _ = try running.idempotencyKey()
        #expect(
            failure { try scene.store.rewrap(nil, to: .keyFile(path: another), now: scene.now) }
                == KeyStoreError(.badInput, scene.directory, "the new key file is the present one"))
        try scene.store.rewrap(nil, to: secret("again"), argon2id: cheap, now: scene.now)
        #expect(unlink(another) == 0)
        _ = try running.idempotencyKey()
        try scene.store.lock(restart: true, now: scene.now)
        #expect(failure { _ = try running.idempotencyKey() }?.kind == .locked)
        try scene.store.unlock(secret("again"), now: scene.now)
        _ = try running.idempotencyKey()
    }

    /// The file that is recorded is gone: a copy of it unlocks the store all the same, until it is locked.
    @Test func aCopyOfARecordedKeyFileUnlocks() throws {
        let (scene, sealer, chat, _) = try Scene.withConversation()
        let copy = scene.root + "/copy"
        #expect(rename(scene.keyFile, copy) == 0)
        let running = try SealerStore(try scene.reopened())
        #expect(failure { _ = try running.ratchet(chat, now: scene.now) }?.kind == .unavailable)
        #expect(failure { try scene.store.unlock(nil, now: scene.now) }?.kind == .unavailable)
        let missing = failure { try scene.store.unlock(.keyFile(path: copy + "-no"), now: scene.now) }
        #expect(missing?.kind == .unavailable && missing?.subject == copy + "-no")
        try scene.store.unlock(.keyFile(path: copy), now: scene.now)
        #expect(try scene.reopened().lockState == .unlocked)
        #expect(try scene.store.status(verify: true, now: scene.now).sessionHolder != "key file")
        _ = try running.ratchet(chat, now: scene.now)
        // A lock stops it, and takes the keys away as after a restart.
        try scene.store.lock(restart: false, now: scene.now)
        #expect(failure { _ = try sealer.ratchet(chat, now: scene.now) }?.kind == .unavailable)
        try scene.store.unlock(.keyFile(path: copy), now: scene.now)
        // Back in its place, nothing else is needed.
        #expect(rename(copy, scene.keyFile) == 0)
        #expect(try scene.store.status(now: scene.now).sessionHolder == "key file")
        try scene.store.lock(restart: true, now: scene.now)
        #expect(rename(scene.keyFile, copy) == 0)
        #expect(failure { _ = try sealer.ratchet(chat, now: scene.now) }?.kind == .unavailable)
        #expect(rename(copy, scene.keyFile) == 0)
    }

    @Test func aDeviceStoreGoesToAKeyFileThatItDoesNotRecord() throws {
        let scene = try Scene(.device, passphrase: "pass")
        try scene.store.rewrap(secret("pass"), to: .keyFile(path: scene.keyFile), now: scene.now)
        #expect(try scene.store.unlockWay() == .keyFile(path: nil))
        try scene.store.lock(restart: true, now: scene.now)
        #expect(failure { try scene.store.unlock(secret("pass"), now: scene.now) }?.kind == .authenticationFailed)
        try scene.store.unlock(.keyFile(path: scene.keyFile), now: scene.now)
    }

    @Test func aLockedStoreIsRewrappedAndStaysLocked() throws {
        let scene = try Scene(.device, passphrase: "old")
        try scene.store.lock(restart: true, now: scene.now)
        try scene.store.rewrap(secret("old"), to: secret("new"), now: scene.now)
        #expect(try scene.store.lockState == .beforeFirstUnlock)
        try scene.store.unlock(secret("new"), now: scene.now)
    }

    @Test func aDamagedKeybagIsNotWrappedAnew() throws {
        let scene = try Scene(.device, passphrase: "old")
        let database = try RawDatabase(scene.database)
        try database.edit("UPDATE slot SET created = created + 1") {
            #expect(failure { try scene.store.rewrap(secret("old"), to: secret("new"), now: scene.now) }?.kind == .damaged)
            #expect(failure { try scene.store.checkUnlock(secret("old")) }?.kind == .damaged)
        }
        try scene.store.checkUnlock(secret("old"))
    }

    private func keys(of store: Store) throws -> ClassKeys {
        try store.read { (rows) throws(KeyStoreError) in
            var keys: ClassKeys = [:]
            for version in try ClassKeyRow.versions(in: rows.storage) {
                keys[version] = try rows.cipher.keys.classKey(version)
            }
            return keys
        }
    }

    private func same(_ one: ClassKeys, _ other: ClassKeys) -> Bool {
        one.count == ClassKeyName.allCases.count && one.keys == other.keys
            && one.allSatisfy { version, key in other[version].map(key.isSame) == true }
    }

    private func occurrences(of wraps: [[UInt8]], in scene: Scene) throws -> Int {
        let bytes = try FileBytes.all(of: [scene.database, scene.database + "-wal"])
        return wraps.count { wrap in bytes.contains { FileBytes.contains($0, wrap) } }
    }
}
