import EnvelopeFormat
import Foundation
import Testing

@testable import KeyStore

/// A database that is not where it was, under a process that has it open: noticed at the next call, named, and nothing is
/// written to what is in its place.
@Suite struct SwappedDatabaseTests {
    /// What somebody did with the files.
    enum Swap: CaseIterable {
        /// The database of another store, renamed over it.
        case another
        /// A copy of before a rotation, renamed over it.
        case olderCopy
        case removed
        /// The whole directory of the access group, replaced by another store's.
        case directory
    }

    private let scene: Scene
    private let sealer: SealerStore
    private let chat: ConversationIdentifier
    private let other: Scene
    private let copy: String

    init() throws {
        (scene, sealer, chat, _) = try Scene.withConversation()
        other = try Scene(.sealer)
        copy = scene.root + "/copy"
        try RawDatabase(scene.database).run("VACUUM INTO '\(copy)'")
        chmod(copy, 0o600)
        _ = try sealer.ratchet(chat, now: scene.now)
    }

    private var group: String { (scene.database as NSString).deletingLastPathComponent }
    private var aside: String { scene.root + "/aside" }

    private func perform(_ swap: Swap) {
        switch swap {
        case .another:
            #expect(rename(scene.database, aside) == 0)
            #expect(rename(other.database, scene.database) == 0)
        case .olderCopy:
            #expect(rename(scene.database, aside) == 0 && rename(copy, scene.database) == 0)
        case .removed: #expect(rename(scene.database, aside) == 0)
        case .directory:
            let others = (other.database as NSString).deletingLastPathComponent
            #expect(rename(group, aside) == 0 && rename(others, group) == 0)
        }
    }

    private func undo(_ swap: Swap) {
        if swap == .directory {
            #expect(rename(group, scene.root + "/gone") == 0 && rename(aside, group) == 0)
        } else {
            #expect(rename(aside, scene.database) == 0)
        }
    }

    /// Every file in the access group's directory, with its content.
    private func files() throws -> [String: Data] {
        var files: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: group) {
            files[name] = try Data(contentsOf: URL(fileURLWithPath: group + "/" + name))
        }
        return files
    }

    @Test(arguments: Swap.allCases) func isNoticedByEveryCall(_ swap: Swap) throws {
        let before = try sealer.conversation(chat)
        let kid = try #require(before.active)
        perform(swap)
        let untouched = try files()
        let calls: [(String, () throws -> Void)] = [
            ("ratchet", { _ = try sealer.ratchet(chat, now: scene.now) }),
            ("revoke", { _ = try sealer.revoke(chat, now: scene.now) }),
            ("lease", { _ = try sealer.leaseSeals(kid, of: chat, count: 1, now: scene.now) }),
            ("sealing", { _ = try sealer.sealingState(chat, now: scene.now) }),
            ("conversation", { _ = try sealer.conversation(chat) }),
            ("status", { _ = try scene.store.status(verify: true, now: scene.now) }),
            ("defaults", { try scene.store.setDefaults(StoreDefaults(), now: scene.now) }),
            ("lock", { try scene.store.lock(restart: false, now: scene.now) }),
        ]
        for (name, call) in calls {
            let error = failure(call)
            #expect(error?.kind == (swap == .removed ? .unavailable : .permission), "\(name): \(String(describing: error))")
            #expect(error?.subject == scene.database, "\(name)")
        }
        #expect(try files() == untouched)
        undo(swap)
        #expect(try sealer.conversation(chat) == before)
        #expect(try sealer.ratchet(chat, now: scene.now).epoch == 2)
        #expect((try scene.store.status(verify: true, now: scene.now).verifiedRows ?? 0) > 0)
    }

    @Test(arguments: Swap.allCases) func isNoticedBeforeACommit(_ swap: Swap) throws {
        let before = try sealer.conversation(chat)
        var untouched: [String: Data] = [:]
        let error = failure {
            do {
                try sealer.write(at: scene.now) { (life) throws(KeyStoreError) in
                    var conversation = try life.conversation(chat)
                    _ = try life.ratchet(&conversation)
                    perform(swap)
                    untouched = (try? files()) ?? [:]
                }
            }
        }
        #expect(error?.kind == (swap == .removed ? .unavailable : .permission) && error?.subject == scene.database)
        #expect(try files() == untouched && !untouched.isEmpty)
        undo(swap)
        #expect(try sealer.conversation(chat) == before)
        #expect(try sealer.ratchet(chat, now: scene.now).epoch == 2)
    }

    /// The one thing that SQLite cannot tell: a log that belongs to another state of the same file.
    @Test func anOlderCopyUnderANewerLogIsVerifiedOrDamaged() throws {
        let database = scene.database
        for epoch in 2..<8 {
            if epoch == 4 { try RawDatabase(database).run("PRAGMA wal_checkpoint(TRUNCATE); VACUUM INTO '\(copy)-\(epoch)'") }
            // Without a secret that goes there is no checkpoint, and the log grows.
            for _ in 0..<3 { _ = try sealer.enroll(try Phone().document(), now: scene.now) }
        }
        let count = try sealer.devices().count
        let old = scene.root + "/old"
        try FileManager.default.copyItem(atPath: scene.directory, toPath: old)
        let target = old + "/" + StoreConfiguration.standardAccessGroup + "/store.sqlite"
        #expect(rename(copy + "-4", target) == 0 && chmod(target, 0o600) == 0)
        let error = failure {
            let store = try Store.open(directory: old)
            _ = try store.status(verify: true, now: scene.now)
            #expect(try SealerStore(store).devices().count <= count)
        }
        #expect(error == nil || error?.kind == .damaged, "\(String(describing: error))")
    }
}
