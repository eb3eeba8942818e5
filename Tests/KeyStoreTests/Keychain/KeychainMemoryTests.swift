import CryptoPrimitives
import EnvelopeFormat
import Foundation
import Glibc
import Testing

@testable import KeyStore

/// A process that opened before and stays running is searched by root for keys and values.
@Suite(.enabled(if: SessionFixture.isRoot, "not root: memory of other processes cannot be read"))
struct KeychainMemoryTests {
    typealias Holder = SessionFixture.Holder

    /// What must not be found after a lock, under its names. Only this process knows it, beside the one that is searched.
    private struct Secrets {
        var named: [(name: String, bytes: [UInt8])] = []

        mutating func add(_ name: String, _ bytes: [UInt8]) {
            // The second half: malloc writes into the first of what is given back, and half a key is still one to find.
            named.append((name, Array(bytes.suffix(bytes.count / 2))))
        }

        func found(in process: pid_t) throws -> [String: Int] {
            var found: [String: Int] = [:]
            for (name, bytes) in named {
                let count = try MemoryOfProcess.count(of: bytes, in: process)
                if count > 0 { found[name] = count }
            }
            return found
        }
    }

    private static let kid = try! KeyIdentifier(handle: Handle("AAAAAAAAAAAAAAAA")!, epoch: 0)
    private static let classes = ClassKeyName.allCases.filter { $0.isEvictedByLock(of: .device) }

    /// Gives the phone an item in each class that `lock` takes away, and an epoch.
    private func furnish(_ store: Store) throws -> Secrets {
        var secrets = Secrets()
        let keychain = try Keychain(store)
        for name in Self.classes {
            let accessible = try #require(AccessibilityClass(rawValue: name.rawValue))
            let value = SymmetricKey(size: .bits256)
            try keychain.add(service: "s", account: name.rawValue, value: value, accessible: accessible, now: 1)
            secrets.add("value \(name.rawValue)", value.withUnsafeBytes { Array($0) })
        }
        let chain = SymmetricKey(size: .bits256)
        try DeviceStore(store).transaction(now: 1) { (transaction) throws(KeyStoreError) in
            try transaction.add(
                HeldEpochRecord(
                    conversation: try! ConversationIdentifier("chat-1"), algorithm: .dir, kid: Self.kid,
                    accessible: .whenUnlocked, installOrder: 1), secret: try! ConversationSecret(chain))
        }
        secrets.add("epoch", chain.withUnsafeBytes { Array($0) })
        let keys = try store.read { (rows) throws(KeyStoreError) in
            var keys: [(String, GuardedBytes)] = []
            for name in Self.classes {
                if let key = try rows.cipher.keys.key(name) { keys.append(("class key \(name.rawValue)", key)) }
            }
            for row in try rows.storage.rows(.item, [], limit: nil) + rows.storage.rows(.heldEpoch, [], limit: nil) {
                keys.append(("item key \(row.subject)", try rows.cipher.itemKey(of: row)))
            }
            return keys
        }
        try #require(keys.count == 2 * Self.classes.count + 1)
        for (name, key) in keys { secrets.add(name, key.withBytes { Array($0) }) }
        return secrets
    }

    @Test(arguments: SessionFixture.holders) func afterALockNothingOfWhatItLocksIsLeft(holder: Holder) throws {
        let root = try Scene.temporaryDirectory()
        defer { Scene.remove(root) }
        let directory = root + "/store"
        let locker = try KeychainProcess(directory, holder)
        #expect(try locker.ask("create", "-", root + "/key") == "ok")
        let secrets = try furnish(Store.open(directory: directory))
        let other = try KeychainProcess(directory, holder)

        // Control: while an operation is open, the same search finds the class key and what was read.
        #expect(try other.ask("during") == "ok holding 1")
        let during = try secrets.found(in: other.identifier)
        #expect(during["class key when-unlocked"] == 1 && during["epoch"] ?? 0 >= 1, "\(during)")
        #expect(try other.ask("go on") == "ok let go of 1")
        #expect(try other.ask("hold", "s", "when-unlocked") == "ok")
        let holding = try secrets.found(in: other.identifier)
        #expect(holding == ["value when-unlocked": 1], "\(holding)")
        #expect(try other.ask("release") == "ok")
        for name in Self.classes { #expect(try other.ask("touch", "s", name.rawValue) == "ok 256") }
        // The agent is the one that keeps class keys.
        let agents = try SessionFixture.agents(of: directory)
        #expect(agents.count == (holder == .agent ? 1 : 0))
        for agent in agents {
            let kept = try secrets.found(in: agent)
            #expect(kept == Dictionary(uniqueKeysWithValues: Self.classes.map { ("class key \($0.rawValue)", 1) }))
        }

        // No process of ours keeps any of it between two operations, locked or not.
        #expect(try secrets.found(in: other.identifier) == [:])
        #expect(try locker.ask("lock") == "ok")
        #expect(try other.status("touch", "s", "when-unlocked") == -25308)
        for process in [other.identifier, locker.identifier] + agents {
            #expect(try secrets.found(in: process) == [:])
        }
        #expect(try locker.ask("restart") == "ok")
    }
}

extension RowCipher {
    /// The item key of a row, found without the code that is tested.
    fileprivate func itemKey(of row: StoredRow) throws(KeyStoreError) -> GuardedBytes {
        guard let secret = row.secret, let name = ClassKeyName(rawValue: secret.classKey),
            let classKey = try keys.key(name)
        else { throw KeyStoreError(.locked, row.subject, "it has no readable secret") }
        var context = AssociatedData("waxwing key store 1: item key")
        context.append(store)
        context.append(row.table.name)
        context.append(row.identifier)
        context.append(secret.classKey)
        context.append(secret.classKeyVersion)
        for (column, value) in zip(row.table.columns, row.values) where column.isFixed {
            context.append(column.name)
            context.append(value)
        }
        do { return try KeyWrap.unwrap(secret.itemKey, key: classKey, associatedData: context.bytes) } catch {
            throw KeyStoreError(error, row.subject)
        }
    }
}
