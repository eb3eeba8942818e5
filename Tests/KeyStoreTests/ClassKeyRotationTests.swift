import CryptoPrimitives
import EnvelopeFormat
import Foundation
import TestSupport
import Testing

@testable import KeyStore

@Suite struct ClassKeyRotationTests {
    private static func run(_ rotation: ClassKeyRotation) throws {
        while try rotation.step() {}
        try rotation.finish()
    }

    /// The versions of each class there are, and how many rows are under old ones.
    private func versions(_ store: Store) throws -> Set<Int64> { Set(try store.classKeyUse().map(\.version)) }

    @Test func everyRowIsMovedAndTheOldKeysAreGone() throws {
        let (scene, sealer, chat, phone) = try Scene.withConversation()
        let before = try sealer.sealingState(chat, now: scene.now)
        let idempotency = try sealer.idempotencyKey()
        let old = try wraps(of: scene.store)
        let rotation = try ClassKeyRotation(scene.store, unlockedBy: nil, now: scene.now)
        // The phone, the conversation's secret, the service key, and the audit log's two keys.
        #expect(rotation.rowCount == 5)
        try Self.run(rotation)
        // The key of the log's next entry went with the entry that tells of the beginning.
        #expect(rotation.movedCount == 4 && rotation.passedCount == 5)
        #expect(try versions(scene.store) == [2])
        #expect(try scene.store.classKeyUse().reduce(0) { $0 + $1.rowCount } == 5)
        #expect(try sealer.idempotencyKey() == idempotency)
        #expect(try sealer.sealingState(chat, now: scene.now).kid == before.kid)
        #expect(try scene.store.status(verify: true, now: scene.now).erasurePending == false)
        let bytes = try FileBytes.all(of: [scene.database, scene.database + "-wal"])
        #expect(!old.contains { wrap in bytes.contains { FileBytes.contains($0, wrap) } })
        // And once more, with new rows under the second.
        _ = try sealer.rekey(chat, now: scene.now)
        let bundle = try #require(try sealer.pendingBundles(for: phone.thumbprint, now: scene.now).first)
        _ = try phone.open(bundle, now: scene.now)
        try Self.run(try ClassKeyRotation(scene.store, unlockedBy: nil, now: scene.now))
        #expect(try versions(scene.store) == [3])
        _ = try scene.store.status(verify: true, now: scene.now)
    }

    @Test func oneThatWasInterruptedIsFinishedByTheNext() throws {
        let (scene, sealer, chat, _) = try Scene.withConversation()
        do {
            let rotation = try ClassKeyRotation(scene.store, unlockedBy: nil, now: scene.now)
            #expect(failure { try rotation.finish() }?.kind == .refused)
            _ = try rotation.step()
        }
        #expect(try versions(scene.store) == [1, 2])
        // What is written meanwhile is under the new keys, what was written before can be read.
        let other = try SealerStore(try scene.reopened())
        _ = try other.ratchet(chat, now: scene.now)
        _ = try other.sealingState(chat, now: scene.now)
        _ = try sealer.enroll(try Phone().document(), now: scene.now)
        try Self.run(try ClassKeyRotation(scene.store, unlockedBy: nil, now: scene.now))
        #expect(try versions(scene.store) == [2])
        _ = try other.sealingState(chat, now: scene.now)
        #expect(try scene.store.status(verify: true, now: scene.now).verifiedRows ?? 0 > 10)
    }

    /// Killed between taking the old keys out of the session and the commit.
    @Test func oneThatWasKilledAtItsEndIsFinishedWithoutUnlocking() throws {
        let scene = try Scene(.device, passphrase: "pass")
        let device = try DeviceStore(scene.store)
        _ = try device.makeIdentity(name: "phone", now: scene.now)
        let secret = { UnlockSecret.passphrase(try .of("pass")) }
        let names = ClassKeyName.allCases.filter { $0 != .integrity }
        func forgetOld() throws {
            try scene.store.storage.read { (rows) throws(KeyStoreError) in
                try scene.store.source.evict(names.map { ClassKeyVersion($0, 1) }, in: rows)
            }
        }
        let rotation = try ClassKeyRotation(scene.store, unlockedBy: secret(), now: scene.now)
        try forgetOld()
        // The identity is still under one of them.
        let error = failure { _ = try ClassKeyRotation(scene.store, unlockedBy: secret(), now: scene.now) }
        #expect(error?.kind == .locked)
        try scene.store.unlock(secret(), now: scene.now)
        while try rotation.step() {}
        try forgetOld()
        try Self.run(try ClassKeyRotation(scene.store, unlockedBy: secret(), now: scene.now))
        #expect(try versions(scene.store) == [2])
        #expect(device.deviceKey().value != nil)
        #expect(try scene.store.status(verify: true, now: scene.now).lockState == .unlocked)
    }

    /// A copy of a row from before, put back when the steps were past it.
    @Test func keysThatARowIsUnderAreNotDestroyed() throws {
        let (scene, sealer, chat, _) = try Scene.withConversation()
        let kid = try sealer.sealingState(chat, now: scene.now).kid
        let raw = try RawDatabase(scene.database)
        try raw.run("CREATE TEMP TABLE kept AS SELECT * FROM conversation_secret")
        let rotation = try ClassKeyRotation(scene.store, unlockedBy: nil, now: scene.now)
        while try rotation.step() {}
        try raw.run("DELETE FROM conversation_secret; INSERT INTO conversation_secret SELECT * FROM temp.kept")
        let error = failure { try rotation.finish() }
        #expect(error?.kind == .refused && error?.subject == "class keys")
        #expect(try versions(scene.store) == [1, 2])
        let next = try ClassKeyRotation(scene.store, unlockedBy: nil, now: scene.now)
        try Self.run(next)
        #expect(next.movedCount == 1)
        #expect(try versions(scene.store) == [2])
        #expect(try SealerStore(try scene.reopened()).sealingState(chat, now: scene.now).kid == kid)
    }

    @Test func twoOperatorsAtOnceDoNotDisturbEachOther() throws {
        let (scene, sealer, chat, _) = try Scene.withConversation()
        let one = try ClassKeyRotation(scene.store, unlockedBy: nil, now: scene.now)
        let two = try ClassKeyRotation(try scene.reopened(), unlockedBy: nil, now: scene.now)
        _ = try one.step()
        try Self.run(two)
        let three = try ClassKeyRotation(scene.store, unlockedBy: nil, now: scene.now)
        try Self.run(one)
        #expect(try versions(scene.store) == [2, 3])
        try Self.run(three)
        #expect(try versions(scene.store) == [3])
        _ = try sealer.sealingState(chat, now: scene.now)
    }

    @Test func aPhoneMustBeUnlocked() throws {
        let scene = try Scene(.device, passphrase: "pass")
        let device = try DeviceStore(scene.store)
        _ = try device.makeIdentity(name: "phone", now: scene.now)
        let secret = { UnlockSecret.passphrase(try .of("pass")) }
        try scene.store.lock(restart: false, now: scene.now)
        let error = failure { _ = try ClassKeyRotation(scene.store, unlockedBy: secret(), now: scene.now) }
        #expect(error?.kind == .locked && error?.subject == "class key when-passcode-set-this-device-only")
        try scene.store.lock(restart: true, now: scene.now)
        #expect(
            failure { _ = try ClassKeyRotation(scene.store, unlockedBy: secret(), now: scene.now) }?.kind == .locked)
        try scene.store.unlock(secret(), now: scene.now)
        #expect(
            failure { _ = try ClassKeyRotation(scene.store, unlockedBy: .passphrase(.of("no")), now: scene.now) }?.kind
                == .authenticationFailed)
        #expect(try versions(scene.store) == [1])
    }

    /// The keys reach the session of every process, both while both are needed, and go with a lock.
    @Test func sessionsHoldBothVersionsUntilTheEnd() throws {
        let scene = try Scene(.device, passphrase: "pass")
        let device = try DeviceStore(scene.store)
        _ = try device.makeIdentity(name: "phone", now: scene.now)
        let secret = { UnlockSecret.passphrase(try .of("pass")) }
        let rotation = try ClassKeyRotation(scene.store, unlockedBy: secret(), now: scene.now)
        #expect(try held(scene.store).count == 11)
        #expect(device.deviceKey().value != nil)
        try scene.store.lock(restart: false, now: scene.now)
        #expect(try held(scene.store) == Set(both(.afterFirstUnlock) + both(.afterFirstUnlockThisDeviceOnly) + [.integrity]))
        try scene.store.unlock(secret(), now: scene.now)
        #expect(try held(scene.store).count == 11)
        try Self.run(rotation)
        #expect(try held(scene.store).count == 6)
        #expect(try held(scene.store).allSatisfy { $0 == .integrity || $0.version == 2 })
        #expect(device.deviceKey().value != nil)
        try scene.store.lock(restart: true, now: scene.now)
        #expect(try held(scene.store).isEmpty)
        try scene.store.unlock(secret(), now: scene.now)
        #expect(device.deviceKey().value != nil)
    }

    @Test func aStoreThatIsStoppedIsLeftAlone() throws {
        let (scene, _, _, _) = try Scene.withConversation()
        try scene.store.lock(restart: false, now: scene.now)
        #expect(failure { _ = try ClassKeyRotation(scene.store, unlockedBy: nil, now: scene.now) }?.kind == .locked)
        #expect(try versions(scene.store) == [1])
    }

    /// Another writer goes on before, beside and after; one that waits longer than SQLite may fails, and with it the test.
    @Test func othersWorkMeanwhile() throws {
        let (scene, sealer, chat, _) = try Scene.withConversation()
        for number in 0..<TestAmount.rounds(600, slow: 20_000) {
            _ = try sealer.provision(.of("many-\(number)"), algorithm: .dir, members: [], now: scene.now)
        }
        let leases = LeasesBeside(try SealerStore(try scene.reopened()), chat, now: scene.now)
        Thread.detachNewThread { leases.run() }
        try leases.wait { $0 > 0 }
        let before = leases.count
        let rotation = try ClassKeyRotation(scene.store, unlockedBy: nil, now: scene.now)
        while try rotation.step() {}
        try leases.wait { $0 > before }
        try rotation.finish()
        let after = leases.count
        try leases.wait { $0 > after }
        let slowest = try leases.end()
        print("class keys replaced under \(rotation.movedCount) rows, \(after - before) leases beside it, the slowest in \(slowest)")
        #expect(try versions(scene.store) == [2])
        #expect(try secretsThatOpen(scene.store) > 600)
    }

    /// However many rows are read at once, as many as there are among them, or one less.
    @Test(arguments: 1...6) func noRowIsPassedOver(_ rowsReadAtOnce: Int) throws {
        let (scene, sealer, _, _) = try Scene.withConversation()
        for number in 0..<4 { _ = try sealer.provision(.of("more-\(number)"), algorithm: .dir, members: [], now: scene.now) }
        let before = try secretsThatOpen(scene.store)
        try Self.run(try ClassKeyRotation(scene.store, unlockedBy: nil, now: scene.now, rowsReadAtOnce: rowsReadAtOnce))
        #expect(try versions(scene.store) == [2])
        #expect(try secretsThatOpen(scene.store) == before)
    }

    /// How many secrets there are; each must open.
    private func secretsThatOpen(_ store: Store) throws -> Int {
        try store.read { (transaction) throws(KeyStoreError) in
            var count = 0
            for table in Table.allCases where table.carriesSecret {
                for row in try transaction.storage.rows(table, [], limit: nil) where row.secret != nil {
                    _ = try transaction.cipher.unwrap(row)
                    count += 1
                }
            }
            return count
        }
    }

    private func both(_ name: ClassKeyName) -> [ClassKeyVersion] { [ClassKeyVersion(name, 1), ClassKeyVersion(name, 2)] }

    /// Which class keys an operation could fetch.
    private func held(_ store: Store) throws -> Set<ClassKeyVersion> {
        try store.read { (rows) throws(KeyStoreError) in
            var held: Set<ClassKeyVersion> = []
            for name in ClassKeyName.allCases {
                for number in 1...3 {
                    let version = ClassKeyVersion(name, Int64(number))
                    if try rows.cipher.keys.classKey(version) != nil { held.insert(version) }
                }
            }
            return held
        }
    }

    private func wraps(of store: Store) throws -> [[UInt8]] {
        try store.storage.read { (rows) throws(KeyStoreError) in
            try Keybag(store: store.identifier, in: rows).classKeys.filter { $0.record.name != .integrity }
                .map(\.record.wrap)
        }
    }
}
