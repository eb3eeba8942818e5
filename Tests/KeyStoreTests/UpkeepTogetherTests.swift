import CryptoPrimitives
import EnvelopeFormat
import Glibc
import Testing

@testable import KeyStore

/// Digest and anchor hold after every step of every upkeep.
@Suite struct UpkeepTogetherTests {
    private let work: Argon2idParameters

    init() throws { work = try Argon2idParameters(passes: 1, memoryMiB: 8) }

    private func code(_ text: String) throws -> UnlockSecret { .passphrase(try .of(text)) }

    private func check(_ scene: Scene, _ anchor: String, _ step: String) throws {
        let status = try scene.store.status(verify: true, anchor: anchor, now: scene.now)
        #expect(status.anchor == AnchorReport(path: anchor, state: .holds), "\(step)")
        #expect(status.verifiedRows ?? 0 > 5, "\(step)")
    }

    private func rotate(_ scene: Scene, _ anchor: String, _ secret: UnlockSecret?) throws {
        let rotation = try ClassKeyRotation(scene.store, unlockedBy: secret, now: scene.now)
        try check(scene, anchor, "new class keys")
        while try rotation.step() { try check(scene, anchor, "rows moved") }
        try rotation.finish()
        try check(scene, anchor, "old class keys destroyed")
    }

    @Test func aBackend() throws {
        let (scene, sealer, chat, _) = try Scene.withConversation()
        let anchor = scene.root + "/anchor"
        try scene.store.setAnchor(anchor, now: scene.now)
        let steps: [(String, () throws -> Void)] = [
            ("another key file", { try scene.store.rewrap(nil, to: .keyFile(path: scene.root + "/other"), now: scene.now) }),
            ("ratchet", { _ = try sealer.ratchet(chat, now: scene.now) }),
            ("a passphrase", { try scene.store.rewrap(nil, to: code("one"), argon2id: work, now: scene.now) }),
            (
                "lock and unlock",
                {
                    try scene.store.lock(restart: false, now: scene.now)
                    try scene.store.unlock(code("one"), now: scene.now)
                }
            ),
            ("class keys", { try rotate(scene, anchor, code("one")) }),
            ("ratchet", { _ = try sealer.ratchet(chat, now: scene.now) }),
            ("a key file again", { try scene.store.rewrap(code("one"), to: .keyFile(path: scene.keyFile), now: scene.now) }),
            ("class keys again", { try rotate(scene, anchor, nil) }),
            ("backup", { try backUp(scene) }),
        ]
        for (name, step) in steps {
            try step()
            try check(scene, anchor, name)
        }
    }

    @Test func aPhone() throws {
        let scene = try Scene(.device, passphrase: "one")
        let anchor = scene.root + "/anchor"
        _ = try DeviceStore(scene.store).makeIdentity(name: "phone", now: scene.now)
        try scene.store.setAnchor(anchor, now: scene.now)
        let key = UnlockSecret.keyFile(path: scene.keyFile)
        let steps: [(String, () throws -> Void)] = [
            ("another passphrase", { try scene.store.rewrap(code("one"), to: code("two"), now: scene.now) }),
            ("class keys", { try rotate(scene, anchor, code("two")) }),
            ("no passcode", { try scene.store.removePasscode(code("two"), keyFile: scene.keyFile, now: scene.now) }),
            ("class keys without", { try rotate(scene, anchor, key) }),
            ("lock", { try scene.store.lock(restart: false, now: scene.now) }),
            ("unlock", { try scene.store.unlock(key, now: scene.now) }),
            ("a passcode", { try scene.store.setPasscode(.of("three"), argon2id: work, current: key, now: scene.now) }),
            ("class keys with", { try rotate(scene, anchor, code("three")) }),
            ("backup", { try backUp(scene) }),
        ]
        for (name, step) in steps {
            try step()
            try check(scene, anchor, name)
        }
    }

    private func backUp(_ scene: Scene) throws {
        _ = try scene.store.backUp(
            to: scene.root + "/backup", secret: .keyFile(path: scene.root + "/backup-key"), now: scene.now)
    }

    /// So that a copy of before is found.
    @Test func eachIsAChangeOfKeysThatTheAnchorKnows() throws {
        let scene = try Scene(.device, passphrase: "one")
        let anchor = scene.root + "/anchor"
        try scene.store.setAnchor(anchor, now: scene.now)
        let steps: [() throws -> Void] = [
            { try scene.store.rewrap(code("one"), to: code("two"), now: scene.now) },
            { _ = try ClassKeyRotation(scene.store, unlockedBy: code("two"), now: scene.now) },
            { try scene.store.removePasscode(code("two"), keyFile: scene.keyFile, now: scene.now) },
        ]
        for step in steps {
            let before = try FileBytes.all(of: [anchor])
            try step()
            #expect(try FileBytes.all(of: [anchor]) != before)
        }
    }

    /// Without the file at its place nothing that unlocks the store is replaced.
    @Test func withoutItsAnchorKeysStay() throws {
        let scene = try Scene(.device, passphrase: "one")
        let anchor = scene.root + "/anchor"
        try scene.store.setAnchor(anchor, now: scene.now)
        #expect(rename(anchor, anchor + "-away") == 0)
        let steps: [() throws -> Void] = [
            { try scene.store.rewrap(code("one"), to: code("two"), now: scene.now) },
            { _ = try ClassKeyRotation(scene.store, unlockedBy: code("one"), now: scene.now) },
            { try scene.store.removePasscode(code("one"), keyFile: scene.keyFile, now: scene.now) },
        ]
        for step in steps { #expect(failure(step)?.kind == .unavailable) }
        try scene.store.lock(restart: true, now: scene.now)
        try scene.store.unlock(code("one"), now: scene.now)
        #expect(rename(anchor + "-away", anchor) == 0)
        try check(scene, anchor, "as it was")
        #expect(Set(try scene.store.classKeyUse().map(\.version)) == [1])
    }

    @Test(arguments: [true, false]) func aRestoredStoreHasTheAnchorItIsGiven(isGiven: Bool) throws {
        let (scene, _, chat, _) = try Scene.withConversation()
        try scene.store.setAnchor(scene.root + "/anchor", now: scene.now)
        try backUp(scene)
        let anchor = scene.root + "/another"
        let (store, _) = try Store.restore(
            scene.root + "/backup", secret: .keyFile(path: scene.root + "/backup-key"), directory: scene.root + "/elsewhere",
            now: scene.now
        ) {
            var configuration = StoreConfiguration(role: $0.role, unlock: .keyFile(path: scene.root + "/new-key"))
            if isGiven { configuration.anchor = anchor }
            return configuration
        }
        #expect(try store.anchorPath() == (isGiven ? anchor : nil))
        let status = try store.status(verify: true, anchor: isGiven ? anchor : nil, now: scene.now)
        #expect(status.anchor == (isGiven ? AnchorReport(path: anchor, state: .holds) : nil))
        _ = try SealerStore(store).ratchet(chat, now: scene.now)
        #expect(try store.status(verify: true, now: scene.now).anchor?.state == (isGiven ? .holds : nil))
        // That of the store that was backed up knows no other.
        let other = failure { _ = try store.status(verify: true, anchor: scene.root + "/anchor", now: scene.now) }
        #expect(other?.kind == .badInput)
        try check(scene, scene.root + "/anchor", "the store that was backed up")
    }

    @Test func theOldestBundleIsOfThoseThatWait() throws {
        let (scene, sealer, chat, phone) = try Scene.withConversation()
        #expect(try scene.store.status(now: scene.now).oldestPendingBundle == scene.now)
        let first = try #require(try sealer.pendingBundles(for: phone.thumbprint, now: scene.now).first)
        _ = try sealer.rekey(chat, now: scene.now + 10)
        #expect(try scene.store.status(now: scene.now).oldestPendingBundle == scene.now)
        try sealer.acknowledge(device: phone.thumbprint, sequence: first.sequence, now: scene.now + 20)
        #expect(try scene.store.status(now: scene.now).oldestPendingBundle == scene.now + 10)
    }
}
