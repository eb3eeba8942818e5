import EnvelopeFormat
import Foundation
import Glibc
import Testing

@testable import KeyStore

/// A key file that was made for what was then refused is gone; any other stays.
@Suite struct NewKeyFileTests {
    private func secret(_ text: String) throws -> UnlockSecret { .passphrase(try .of(text)) }
    private func isThere(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Has every change of keys refused.
    private func anchored(_ scene: Scene) throws {
        let anchor = scene.root + "/anchor"
        try scene.store.setAnchor(anchor, now: scene.now)
        try FileManager.default.removeItem(atPath: anchor)
    }

    @Test func aRefusedRewrapLeavesNone() throws {
        let scene = try Scene(.sealer)
        try anchored(scene)
        let file = scene.root + "/fresh"
        #expect(failure { try scene.store.rewrap(nil, to: .keyFile(path: file), now: scene.now) }?.kind == .unavailable)
        #expect(!isThere(file))
        #expect(
            failure { try scene.store.rewrap(secret("no"), to: .keyFile(path: file), now: scene.now) }?.kind
                == .authenticationFailed)
        #expect(!isThere(file))
        try scene.store.setAnchor(nil, now: scene.now)
        try scene.store.rewrap(nil, to: .keyFile(path: file), now: scene.now)
        #expect(isThere(file))
        _ = try SealerStore(scene.store).idempotencyKey()
    }

    @Test func oneThatWasThereStays() throws {
        let scene = try Scene(.sealer)
        let file = scene.root + "/there"
        _ = try KeyFile(file, group: nil).makeIfAbsent()
        try anchored(scene)
        #expect(failure { try scene.store.rewrap(nil, to: .keyFile(path: file), now: scene.now) } != nil)
        #expect(isThere(file))
        #expect(failure { try scene.store.rewrap(nil, to: .keyFile(path: scene.keyFile), now: scene.now) }?.kind == .badInput)
        #expect(isThere(scene.keyFile))
    }

    @Test func aRefusedRemovalOfAPasscodeLeavesNone() throws {
        let scene = try Scene(.device, passphrase: "pass")
        try anchored(scene)
        let file = scene.root + "/fresh"
        #expect(
            failure { try scene.store.removePasscode(secret("pass"), keyFile: file, now: scene.now) }?.kind == .unavailable)
        #expect(!isThere(file))
        try scene.store.setAnchor(nil, now: scene.now)
        try scene.store.removePasscode(secret("pass"), keyFile: file, now: scene.now)
        #expect(isThere(file))
    }

    @Test func aDamagedKeybagLeavesNone() throws {
        let scene = try Scene(.sealer)
        let database = try RawDatabase(scene.database)
        let file = scene.root + "/fresh"
        try database.edit("UPDATE slot SET created = created + 1") {
            #expect(failure { try scene.store.rewrap(nil, to: .keyFile(path: file), now: scene.now) }?.kind == .damaged)
        }
        #expect(!isThere(file))
    }

    @Test func aRefusedBackupLeavesNone() throws {
        let scene = try Scene(.sealer)
        try scene.store.lock(restart: false, now: scene.now)
        let (file, backup) = (scene.root + "/fresh", scene.root + "/backup")
        #expect(failure { _ = try scene.store.backUp(to: backup, secret: .keyFile(path: file), now: scene.now) }?.kind == .locked)
        #expect(!isThere(file) && !isThere(backup))
    }

    /// Two that are to be unlocked by the same new file: the one that made it fails, and the other goes on.
    @Test func oneThatAnotherTookUpStays() throws {
        let path = try Scene.temporaryDirectory() + "/key"
        defer { Scene.remove(String(path.dropLast(4))) }
        let (maker, other) = (try NewKeyFile(path, group: nil), try NewKeyFile(path, group: nil))
        let key = try maker.key()
        #expect(try other.key().isSame(as: key))
        maker.withdraw { _ in false }
        #expect(isThere(path))
    }

    @Test func oneThatUnlocksAfterAllStays() throws {
        let path = try Scene.temporaryDirectory() + "/key"
        defer { Scene.remove(String(path.dropLast(4))) }
        let maker = try NewKeyFile(path, group: nil)
        let key = try maker.key()
        maker.withdraw { $0.isSame(as: key) }
        #expect(isThere(path))
        maker.withdraw { _ in false }
        #expect(!isThere(path))
    }

    /// The path was given to another file meanwhile.
    @Test func anotherInItsPlaceStays() throws {
        let path = try Scene.temporaryDirectory() + "/key"
        defer { Scene.remove(String(path.dropLast(4))) }
        let maker = try NewKeyFile(path, group: nil)
        _ = try maker.key()
        #expect(rename(path, path + "-away") == 0)
        _ = try KeyFile(path, group: nil).makeIfAbsent()
        maker.withdraw { _ in false }
        #expect(isThere(path) && isThere(path + "-away"))
    }
}
