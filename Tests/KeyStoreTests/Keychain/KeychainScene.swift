import CryptoPrimitives
import EnvelopeFormat
import Foundation
import Testing

@testable import KeyStore

extension Scene {
    /// A phone's keychain, unlocked.
    static func keychain(passphrase: String? = nil) throws -> (scene: Scene, keychain: Keychain) {
        let scene = try Scene(.device, passphrase: passphrase)
        return (scene, try Keychain(scene.store))
    }

    /// Brings the phone into a lock state.
    func bring(_ state: LockState) throws {
        switch state {
        case .unlocked: try store.unlock(.keyFile(path: keyFile), now: now)
        case .locked: try store.lock(restart: false, now: now)
        case .beforeFirstUnlock: try store.lock(restart: true, now: now)
        }
        #expect(try store.lockState == state)
    }

    /// How many rows each table has, but for the log, which tells of refusals too, and the digest over it.
    func rowCounts() throws -> [String: String] {
        let database = try RawDatabase(database)
        var counts: [String: String] = [:]
        for table in try database.texts("SELECT name FROM sqlite_schema WHERE type = 'table'")
        where ![Table.auditEntry, .digest].map(\.name).contains(table) {
            counts[table] = try database.text("SELECT count(*) FROM \(table)")
        }
        return counts
    }
}

extension SymmetricKey {
    /// A value of so many bytes that no other value is.
    static func value(_ byteCount: Int = 16) -> SymmetricKey {
        SymmetricKey(data: (0..<byteCount).map { _ in UInt8.random(in: 0...255) })
    }
}

/// What the keychain answers.
func status(_ body: () throws -> Void) -> KeychainStatus? {
    do {
        try body()
        return .success
    } catch { return (error as? KeyStoreError)?.keychainStatus }
}

extension Scene {
    /// A class key, the newest of that name that any process can fetch from the session holder now.
    func classKey(_ name: ClassKeyName) throws -> GuardedBytes? {
        try store.read { (rows) throws(KeyStoreError) in
            for version in (1...9).reversed() {
                if let key = try store.source.fetch(ClassKeyVersion(name, Int64(version)), in: rows.storage) { return key }
            }
            return nil
        }
    }

    /// Whether the bytes stand in a file of the access group's directory.
    func filesHold(_ bytes: [UInt8]) throws -> Bool {
        let folder = directory + "/" + StoreConfiguration.standardAccessGroup
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where !name.hasSuffix(".sock") {
            guard let content = FileManager.default.contents(atPath: folder + "/" + name) else { continue }
            if content.contains(bytes) { return true }
        }
        return false
    }
}

extension Data {
    /// Whether the bytes stand in it, one after another.
    fileprivate func contains(_ bytes: [UInt8]) -> Bool { range(of: Data(bytes)) != nil }
}
