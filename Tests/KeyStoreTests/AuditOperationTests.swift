import CryptoPrimitives
import EnvelopeFormat
import Testing

@testable import KeyStore

/// Every operation there is has an entry when it is done.
@Suite struct AuditOperationTests {
    @Test func everyOperationIsSeen() throws {
        let seen = try ofASealerStore().union(try ofADeviceStore())
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
        return try done(scene)
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
