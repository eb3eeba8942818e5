import CTestFaults
import EnvelopeFormat
import Glibc
import Testing

@testable import KeyStore

/// A lock is one for everybody who goes through the store, whatever the session holds yet.
@Suite struct LockMarkTests {
    private func keys(of scene: Scene) throws -> ClassKeys {
        try scene.store.storage.read { (rows) throws(KeyStoreError) in
            var keys: ClassKeys = [:]
            for version in try ClassKeyRow.versions(in: rows) {
                keys[version] = try scene.store.source.fetch(version, in: rows)
            }
            return keys
        }
    }

    private func put(_ keys: ClassKeys, _ store: Store) throws {
        try store.storage.read { (rows) throws(KeyStoreError) in try store.source.put(keys, timeout: nil, in: rows) }
    }

    @Test(arguments: [(false, LockState.locked), (true, .beforeFirstUnlock)])
    func keysThatALockDidNotReachAreNotRead(restart: Bool, state: LockState) throws {
        let scene = try Scene(.device)
        let keys = try keys(of: scene)
        try scene.store.lock(restart: restart, now: scene.now)
        try put(keys, scene.store)
        #expect(try scene.store.lockState == state)
        #expect(try scene.reopened().lockState == state)
        // A second lock takes them away.
        try scene.reopened().lock(restart: restart, now: scene.now)
        let left = try scene.store.storage.read { (rows) throws(KeyStoreError) in
            try scene.store.source.remaining(of: Array(keys.keys), in: rows)
        }
        #expect(left.contains { $0.name == .whenUnlocked } == false && left.isEmpty == restart)
        try scene.store.unlock(.keyFile(path: scene.keyFile), now: scene.now)
        #expect(try scene.store.lockState == .unlocked && scene.reopened().lockState == .unlocked)
    }

    /// Versions that the rows do not tell of, as those of a copy that was put back are older.
    @Test(.enabled(if: SessionFixture.hasKeyring, "no kernel keyring here")) func aLockTakesWhatIsListed() throws {
        let scene = try Scene(.device)
        let later = ClassKeyVersion(.whenUnlocked, 7)
        try put([later: try GuardedBytes(randomCount: 32)], scene.store)
        try scene.store.lock(restart: false, now: scene.now)
        let left = try scene.store.storage.read { (rows) throws(KeyStoreError) in
            try scene.store.source.remaining(of: [later], in: rows)
        }
        #expect(left.isEmpty)
        try scene.store.lock(restart: true, now: scene.now)
    }

    @Test func aNameIsThatOfOneVersion() {
        for version in [ClassKeyVersion.integrity, ClassKeyVersion(.whenUnlockedThisDeviceOnly, 12)] {
            #expect(ClassKeyVersion(sessionName: version.sessionName) == version)
        }
        for name in ["", "auto-lock", "integrity.1", "integrity.01", "integrity.x", "integrity.2.3"] {
            #expect(ClassKeyVersion(sessionName: name) == nil, "\(name)")
        }
    }

    /// Where the kernel answers EPERM to keyctl(2), as in a container, nobody can look whether keys are in the keyring.
    @Test(.enabled(if: SessionFixture.hasKeyring, "no kernel keyring here"))
    func aLockThatCannotLookIsNone() async throws {
        let scene = try Scene(.device)
        let directory = scene.directory
        await #expect(processExitsWith: .success) { [directory = directory as String] in
            let store = try Store.open(directory: directory)
            guard waxwing_test_deny_keyrings() == 0 else { exit(2) }
            do {
                try store.lock(restart: true, now: 2)
                exit(3)
            } catch let error as KeyStoreError {
                guard error.kind == .unavailable, error.reason.contains("may be in the kernel keyring") else { exit(4) }
            }
            do {
                _ = try Store.lockUnopened(
                    directory: directory, restart: true, obstacle: KeyStoreError(.full, directory, "full"))
                exit(5)
            } catch let error as KeyStoreError { exit(error.kind == .unavailable ? 0 : 6) }
        }
        // It could not take the keys away; nobody reads them through the store.
        #expect(try scene.store.lockState == .beforeFirstUnlock)
        try scene.store.lock(restart: true, now: scene.now)
        await #expect(processExitsWith: .success) { [directory = directory as String] in
            guard waxwing_test_deny_keyrings() == 0 else { exit(2) }
            try Store.open(directory: directory).lock(restart: true, now: 2)
        }
    }

    /// The file that has the marks was lost: what a lock says is in the new one.
    @Test func aMarkOutlivesAFileThatIsMadeAnew() throws {
        let scene = try Scene(.device)
        let keys = try keys(of: scene)
        #expect(unlink(scene.generationFile) == 0)
        try scene.store.lock(restart: true, now: scene.now)
        #expect(access(scene.generationFile, F_OK) == 0)
        try put(keys, scene.store)
        #expect(try scene.reopened().lockState == .beforeFirstUnlock)
        try scene.store.lock(restart: true, now: scene.now)
    }
}
