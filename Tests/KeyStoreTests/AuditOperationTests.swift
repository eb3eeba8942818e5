import CryptoPrimitives
import EnvelopeFormat
import StoreFixtures
import Testing

@testable import KeyStore

/// Every operation there is has an entry when it is done.
@Suite struct AuditOperationTests {
    @Test func everyOperationIsSeen() throws {
        let seen = try ofASealerStore().union(try ofADeviceStore()).union(try ofWholeStores())
        #expect(Set(AuditOperation.allCases).subtracting(seen) == [])
    }

    private func done(_ scene: Scene) throws -> Set<AuditOperation> {
        Set(try scene.entries().filter { $0.result == .done }.map(\.operation))
    }

    private func ofASealerStore() throws -> Set<AuditOperation> {
        let (scene, sealer, chat, phone) = try Scene.withConversation()
        let (now, other) = (scene.now, Phone())
        try scene.store.setDefaults(StoreDefaults(json: Array("{}".utf8)), now: now)
        _ = try sealer.enroll(try other.document(), now: now)
        _ = try sealer.addMember(other.thumbprint, to: chat, now: now)
        _ = try sealer.removeMember(other.thumbprint, from: chat, now: now)
        try sealer.removeDevice(other.thumbprint, now: now)
        let kid = try sealer.ratchet(chat, now: now)
        _ = try sealer.leaseSeals(kid, of: chat, count: 3, now: now)
        _ = try sealer.rekey(chat, now: now)
        let bundles = try sealer.pendingBundles(for: phone.thumbprint, now: now)
        try sealer.acknowledge(device: phone.thumbprint, sequence: try #require(bundles.last).sequence, now: now)
        _ = try sealer.suspend(chat, now: now)
        _ = try sealer.resume(chat, now: now)
        _ = try sealer.revoke(chat, now: now)
        _ = try sealer.retire(chat, force: true, now: now)
        let legacy = try ConversationIdentifier("legacy")
        _ = try sealer.provision(legacy, algorithm: .split, members: [], until: now + 60, now: now)
        _ = try sealer.splitExport(legacy, now: now)
        try scene.store.lock(restart: true, now: now)
        try scene.store.unlock(nil, now: now)
        _ = try scene.store.auditCheckpoint(now: now)
        return try done(scene)
    }

    private func ofADeviceStore() throws -> Set<AuditOperation> {
        let scene = try Scene(.device)
        let (now, chat) = (scene.now, try ConversationIdentifier("chat-1"))
        let device = try DeviceStore(scene.store)
        _ = try device.makeIdentity(name: "phone", now: now)
        try device.splitAdd(SymmetricKey(size: .bits256), conversation: chat, until: now + 1, now: now)
        try device.splitAllow(now: now)
        try device.splitDeny(now: now)
        let kid = try KeyIdentifier(handle: try #require(Handle("AAAAAAAAAAAAAAAA")), epoch: 0)
        let secret = try ConversationSecret(SymmetricKey(size: .bits256))
        try device.transaction(now: now) { (transaction) throws(KeyStoreError) in
            try transaction.add(
                HeldEpochRecord(
                    conversation: chat, algorithm: .dir, kid: kid, accessible: .standard, installOrder: 1),
                secret: secret)
            try transaction.setLastSequence(5)
            try transaction.eraseSecret(of: kid)
        }
        let keychain = try Keychain(scene.store)
        try keychain.add(service: "mail", account: "anna", value: .value(), now: now)
        try keychain.update(service: "mail", account: "anna", label: "letters", now: now)
        try keychain.setAccessibility(.afterFirstUnlock, service: "mail", account: "anna", now: now)
        try keychain.delete(service: "mail", account: "anna", now: now)
        return try done(scene)
    }

    /// What is done to a store as a whole.
    private func ofWholeStores() throws -> Set<AuditOperation> {
        let scene = try Scene(.device, passphrase: "4711")
        let now = scene.now
        let code = UnlockSecret.passphrase(try .of("4711"))
        try scene.store.setAnchor(scene.root + "/anchor", now: now)
        try scene.store.rewrap(code, to: .passphrase(try .of("0815")), now: now)
        let rotation = try ClassKeyRotation(scene.store, unlockedBy: .passphrase(try .of("0815")), now: now)
        while try rotation.step() {}
        try rotation.finish()
        try scene.store.removePasscode(.passphrase(try .of("0815")), keyFile: scene.keyFile, now: now)
        let backup = scene.root + "/backup"
        _ = try scene.store.backUp(to: backup, secret: .keyFile(path: scene.root + "/bk"), now: now)
        let restored = try Store.restore(
            backup, secret: .keyFile(path: scene.root + "/bk"), directory: scene.root + "/other", now: now
        ) { StoreConfiguration(role: $0.role, accessGroup: $0.accessGroup, unlock: .keyFile(path: scene.root + "/k2")) }
        let old = try StoreFixture("schema-1", "sealer", at: scene.root + "/old", keyFile: scene.root + "/old-key")
        try Store.migrate(directory: old.directory, now: now)
        var seen = try done(scene)
        for store in [restored.store, try Store.open(directory: old.directory)] {
            seen.formUnion(try store.auditEntries(limit: 1_000).filter { $0.result == .done }.map(\.operation))
        }
        return seen
    }

    /// What a locked device can still write, and what it cannot.
    @Test func aDeviceStoreSaysThatItWasLockedAndUnlocked() throws {
        let scene = try Scene(.device, passphrase: "1234")
        let added = try scene.added {
            try scene.store.lock(restart: false, now: scene.now)
            #expect(failure { try scene.store.unlock(.passphrase(.of("4321")), now: scene.now) }?.kind != nil)
            try scene.store.lock(restart: true, now: scene.now)
            // Nothing can be written now, and nothing is.
            #expect(failure { try scene.store.unlock(.passphrase(.of("4321")), now: scene.now) }?.kind != nil)
            try scene.store.lock(restart: true, now: scene.now)
            try scene.store.unlock(.passphrase(.of("1234")), now: scene.now)
        }
        #expect(
            added == [
                "lock store", "refused unlock store", "lock store, as if restarted", "unlock store",
            ])
    }

    /// Has a device keep a secret as that epoch.
    private struct Keeping {
        let device: DeviceStore
        let record: HeldEpochRecord
        let now: Int64

        func keep(_ secret: ConversationSecret) throws(KeyStoreError) {
            try device.transaction(now: now) { (transaction) throws(KeyStoreError) in
                try transaction.add(record, secret: secret)
            }
        }
    }

    @Test func whatADeviceRefusesIsWritten() throws {
        let scene = try Scene(.device)
        let device = try DeviceStore(scene.store)
        let chat = try ConversationIdentifier("chat-1")
        let kid = try KeyIdentifier(handle: try #require(Handle("AAAAAAAAAAAAAAAA")), epoch: 0)
        let keeping = Keeping(
            device: device,
            record: HeldEpochRecord(
                conversation: chat, algorithm: .dir, kid: kid, accessible: .standard, installOrder: 1),
            now: scene.now)
        let secret = try ConversationSecret(SymmetricKey(size: .bits256))
        let other = try ConversationSecret(SymmetricKey(size: .bits256))
        let key = SymmetricKey(size: .bits256)
        let before = try scene.entries().count
        try keeping.keep(secret)
        try keeping.keep(secret)
        #expect(failure { try keeping.keep(other) }?.kind == .conflict)
        try device.splitAdd(key, conversation: chat, until: scene.now + 1, now: scene.now)
        let again = failure { try device.splitAdd(key, conversation: chat, until: scene.now + 2, now: scene.now) }
        #expect(again?.kind == .conflict)
        #expect(
            try scene.entries().dropFirst(before).map { "\($0.result.rawValue) \($0.operation.rawValue)" } == [
                "done epoch-keep", "refused epoch-keep", "done split-add", "refused split-add",
            ])
    }
}
