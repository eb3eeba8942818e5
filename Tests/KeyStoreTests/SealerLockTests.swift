import EnvelopeFormat
import Glibc
import Testing

@testable import KeyStore

/// A sealer store's secrets are all wrapped under `after-first-unlock`: where its keys are in the session a lock takes all.
@Suite struct SealerLockTests {
    private func code() throws -> UnlockSecret { .passphrase(try .of("4711")) }

    private func provisioned(_ scene: Scene) throws -> (SealerStore, ConversationIdentifier) {
        let (sealer, chat, phone) = (try SealerStore(scene.store), try ConversationIdentifier.of("chat-1"), Phone())
        _ = try sealer.enroll(try phone.document(), now: scene.now)
        _ = try sealer.provision(chat, algorithm: .dir, members: [phone.thumbprint], now: scene.now)
        return (sealer, chat)
    }

    /// Which class keys the session holds.
    private func held(_ scene: Scene) throws -> [ClassKeyVersion] {
        let session = try #require(scene.store.source as? RecordedSource).session
        return try scene.store.storage.read { (rows) throws(KeyStoreError) in
            try session.remaining(of: Array(try ClassKeyRow.versions(in: rows)), in: rows)
        }
    }

    @Test(arguments: [false, true]) func thatOfAPassphraseTakesAll(restart: Bool) throws {
        let scene = try Scene(.sealer, passphrase: "4711")
        let (sealer, chat) = try provisioned(scene)
        #expect(try held(scene).count == ClassKeyName.allCases.count)
        let before = scene.store.generation.read()
        try scene.store.lock(restart: restart, now: scene.now)
        #expect(try held(scene).isEmpty && scene.store.generation.read() != before)
        #expect(try scene.reopened().lockState == .beforeFirstUnlock)
        #expect(failure { _ = try sealer.sealingState(chat, now: scene.now) }?.kind == .locked)
        // A second one has nothing to do.
        try scene.store.lock(restart: restart, now: scene.now)
        try scene.store.unlock(try code(), now: scene.now)
        #expect(try scene.store.lockState == .unlocked)
        _ = try sealer.sealingState(chat, now: scene.now)
        #expect(try scene.entries().filter { $0.operation == .lock }.map(\.subject) == ["store, as if restarted"])
    }

    @Test func aRehearsedOneShowsWhatItWouldBe() throws {
        let scene = try Scene(.sealer, passphrase: "4711")
        let state = try scene.store.rehearse { store in
            try store.lock(restart: false, now: scene.now)
            return try store.lockState
        }
        #expect(state == .beforeFirstUnlock)
        #expect(try scene.store.lockState == .unlocked && held(scene).count == ClassKeyName.allCases.count)
    }

    @Test func thatOfACopyOfTheKeyFileTakesAllAndStops() throws {
        let scene = try Scene(.sealer)
        let (sealer, chat) = try provisioned(scene)
        let copy = scene.root + "/copy"
        #expect(rename(scene.keyFile, copy) == 0)
        try scene.store.unlock(.keyFile(path: copy), now: scene.now)
        #expect(try held(scene).count == ClassKeyName.allCases.count)
        try scene.store.lock(restart: false, now: scene.now)
        #expect(try held(scene).isEmpty && scene.store.lockState == .beforeFirstUnlock)
        #expect(failure { _ = try sealer.sealingState(chat, now: scene.now) }?.kind == .unavailable)
        #expect(rename(copy, scene.keyFile) == 0)
        #expect(try scene.store.lockState == .beforeFirstUnlock)
        #expect(failure { _ = try sealer.sealingState(chat, now: scene.now) }?.kind == .locked)
        try scene.store.unlock(nil, now: scene.now)
        _ = try sealer.sealingState(chat, now: scene.now)
    }

    @Test func thatOfARecordedKeyFileIsAStop() throws {
        let scene = try Scene(.sealer)
        try scene.store.lock(restart: false, now: scene.now)
        #expect(try scene.store.lockState == .locked)
        #expect(try scene.entries().last?.subject == "store")
    }

    @Test func oneThatCannotBeOpenedLosesAllToo() throws {
        let scene = try Scene(.sealer, passphrase: "4711")
        let obstacle = KeyStoreError(.full, scene.directory, "the disk is full")
        let state = try Store.lockUnopened(directory: scene.directory, restart: false, obstacle: obstacle)
        #expect(state == .beforeFirstUnlock)
        #expect(try held(scene).isEmpty)
    }

    /// By the clock of the session holder; a sealer does not go on with the keys that it keeps.
    @Test(arguments: [false, true]) func aTimeTakesAll(ofACopy: Bool) throws {
        let scene = ofACopy ? try Scene(.sealer) : try Scene(.sealer, passphrase: "4711")
        let (sealer, chat) = try provisioned(scene)
        #expect(try sealer.sealingState(chat, now: scene.now).renewAt == scene.now + 30 * 86_400)
        let copy = scene.root + "/copy"
        if ofACopy { #expect(rename(scene.keyFile, copy) == 0) }
        try scene.store.unlock(ofACopy ? .keyFile(path: copy) : try code(), timeout: 2, now: scene.now)
        let renewAt = try #require(try sealer.sealingState(chat, now: scene.now).renewAt)
        #expect((scene.now...scene.now + 2).contains(renewAt))
        let fixture = try SessionFixture()
        #expect(try fixture.eventually { try held(scene).isEmpty })
        #expect(try scene.store.lockState == .beforeFirstUnlock)
        // Unlocked without a time it stays so.
        try scene.store.unlock(ofACopy ? .keyFile(path: copy) : try code(), now: scene.now)
        #expect(try scene.store.secondsUntilLock == nil)
        #expect(try sealer.sealingState(chat, now: scene.now).renewAt == scene.now + 30 * 86_400)
        try scene.store.lock(restart: true, now: scene.now)
    }
}
