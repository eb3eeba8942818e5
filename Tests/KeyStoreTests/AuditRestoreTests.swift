import CryptoPrimitives
import EnvelopeFormat
import FoundationEssentials
import Testing

@testable import KeyStore

/// A log that goes on in another store, and one that begins late.
@Suite struct AuditRestoreTests {
    let scene: Scene
    let sealer: SealerStore
    let chat: ConversationIdentifier
    let key: AuditKey
    let secret: UnlockSecret

    init() throws {
        (scene, sealer, chat, _) = try Scene.withConversation()
        _ = try sealer.ratchet(chat, now: scene.now)
        key = try AuditKey(parsing: Array(try Data(contentsOf: URL(filePath: scene.auditKeyFile))))
        secret = .keyFile(path: scene.root + "/bk")
    }

    private func restore(_ path: String) throws -> Store {
        try Store.restore(path, secret: secret, directory: scene.root + "/other", now: scene.now + 5) { [scene] in
            StoreConfiguration(role: $0.role, accessGroup: $0.accessGroup, unlock: .keyFile(path: scene.root + "/k2"))
        }.store
    }

    @Test func theLogOfARestoredStoreGoesOn() throws {
        let checkpoint = try scene.store.auditCheckpoint(now: scene.now)
        let path = scene.root + "/backup"
        let before = try scene.entries()
        #expect(try scene.added { _ = try scene.store.backUp(to: path, secret: secret, now: scene.now) } == ["backup store"])
        let made = try #require(try scene.entries().last)
        #expect(made.reason?.hasSuffix(" rows, under a key file, to \(path)") == true && made.at == scene.now)

        let store = try restore(path)
        let entries = try store.auditEntries(limit: 1_000)
        // Those of before as they were, and the next one says where they are from.
        #expect(entries.prefix(before.count) == before.map { AuditEntry($0) }[...])
        let next = try #require(entries.dropFirst(before.count).first)
        #expect(next.operation == .restore && next.subject == "store \(store.identifier)" && next.result == .done)
        #expect(next.reason == "of the backup of store \(scene.store.identifier) made at \(scene.now)")
        #expect(next.at == scene.now + 5)
        #expect(entries.filter { $0.operation == .founding }.map(\.number) == [1])
        // The bundle that waited is issued anew.
        #expect(entries.dropFirst(before.count).map(\.operation) == [.restore, .bundleIssue])

        let verification = try store.verifyAudit(key: key, checkpoint: checkpoint)
        #expect(verification.holds && verification.checkpoint == checkpoint.number && verification.unchecked == [])
        // It goes on in both stores, each for itself, and the checkpoint of one is not of the other.
        _ = try SealerStore(store).ratchet(chat, now: scene.now + 6)
        let later = try store.auditCheckpoint(now: scene.now + 7)
        #expect(try store.verifyAudit(key: key, checkpoint: later).holds)
        #expect(try scene.store.verifyAudit(key: key, checkpoint: checkpoint).holds)
        for _ in 0..<3 { _ = try sealer.ratchet(chat, now: scene.now) }
        #expect(try scene.store.verifyAudit(key: key, checkpoint: later).fault?.number == later.number)
        #expect(try scene.store.verifyAudit(key: key).holds && store.verifyAudit(key: key).holds)
        #expect(try store.status(verify: true, now: scene.now + 8).audit?.entries == later.number)
    }

    @Test func whatIsRefusedOfAWholeStoreIsWritten() throws {
        let path = scene.root + "/backup"
        _ = try scene.store.backUp(to: path, secret: secret, now: scene.now)
        let other = UnlockSecret.keyFile(path: scene.root + "/bk")
        try scene.expectRefusal("backup store") {
            _ = try scene.store.backUp(to: path, secret: secret, now: scene.now)
        }
        try scene.expectRefusal("rewrap store") {
            try scene.store.rewrap(other, to: .keyFile(path: scene.keyFile), now: scene.now)
        }
        try scene.expectRefusal("class-key store") {
            _ = try ClassKeyRotation(scene.store, unlockedBy: other, now: scene.now)
        }
        try scene.expectRefusal("anchor file \(path)") { try scene.store.setAnchor(path, now: scene.now) }
        // What is so already, and a backup that is broken off, are neither done nor refused.
        #expect(try scene.addedAlone { try scene.store.setAnchor(nil, now: scene.now) } == [])
        let added = try scene.addedAlone {
            let error = failure {
                _ = try scene.store.backUp(to: path + "-2", secret: secret, now: scene.now) { _ in false }
            }
            #expect(error?.kind == .busy)
        }
        #expect(added == [])
        #expect(!FileManager.default.fileExists(atPath: path + "-2"))
    }

    /// Begun and finished are two transactions, and two entries.
    @Test func aRotationOfClassKeysIsWrittenAtBothEnds() throws {
        let file = UnlockSecret.keyFile(path: scene.keyFile)
        let added = try scene.addedEntries {
            var rotation = try ClassKeyRotation(scene.store, unlockedBy: file, now: scene.now)
            #expect(failure { try rotation.finish() }?.kind == .refused)
            rotation = try ClassKeyRotation(scene.store, unlockedBy: file, now: scene.now)
            while try rotation.step() {}
            try rotation.finish()
            try rotation.finish()
        }
        #expect(added.allSatisfy { $0.operation == .classKey && $0.subject == "store" })
        let reasons = added.map { "\($0.result.rawValue) \($0.reason ?? "")" }
        #expect(reasons.count == 4)
        #expect(
            reasons.prefix(3) == [
                "done begun, \(ClassKeyName.allCases.count - 1) new keys", "refused rows are left under the old ones",
                "done taken up again",
            ])
        #expect(reasons.last?.hasPrefix("done finished, ") == true)
        #expect(try scene.store.verifyAudit(key: key).holds)
    }
}
