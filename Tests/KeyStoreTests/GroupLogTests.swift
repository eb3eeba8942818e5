import FoundationEssentials
import Glibc
import Testing

@testable import KeyStore

/// The log of a group's store and its index: every member can use what any member made, whatever his umask.
@Suite(.enabled(if: SessionFixture.isRoot, "not root: the group is another's"))
struct GroupLogTests {
    private static let names = ["store.sqlite-wal", "store.sqlite-shm"]

    private func made(in root: String) throws -> String {
        let store = try Store.create(
            directory: root + "/store",
            configuration: StoreConfiguration(
                role: .device, unixGroup: "daemon", unlock: .keyFile(path: root + "/key")), now: 1)
        try store.lock(restart: true, now: 2)
        return root + "/store/" + StoreConfiguration.standardAccessGroup
    }

    private func mode(_ path: String) -> UInt32? {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_gid == 1 ? status.st_mode & 0o7777 : nil
    }

    /// They have their modes before SQLite opens them.
    @Test(arguments: [mode_t(0o022), 0o077, 0o777]) func theyAreMadeWithFinalModes(mask: mode_t) async throws {
        let root = try Scene.temporaryDirectory()
        defer { Scene.remove(root) }
        let group = try made(in: root)
        for name in Self.names { #expect(mode(group + "/" + name) == nil) }
        await #expect(processExitsWith: .success) { [root = root as String, mask = mask as mode_t] in
            umask(mask)
            let files = try GroupDirectory(
                store: try AbsolutePath(root + "/store"), accessGroup: StoreConfiguration.standardAccessGroup)
            _ = try files.checkFiles()
        }
        for name in Self.names { #expect(mode(group + "/" + name) == 0o660, "\(name)") }
        _ = try Store.open(directory: root + "/store")
    }

    /// What a process left that was killed before it widened them.
    @Test(arguments: [mode_t(0o640), 0o600, 0o000]) func theirOwnerMendsThem(narrow: mode_t) throws {
        let root = try Scene.temporaryDirectory()
        defer { Scene.remove(root) }
        let group = try made(in: root)
        let store = try Store.open(directory: root + "/store")
        for name in Self.names { #expect(chmod(group + "/" + name, narrow) == 0) }
        #expect(try Store.open(directory: root + "/store").lockState == .beforeFirstUnlock)
        for name in Self.names { #expect(mode(group + "/" + name) == 0o660, "\(name)") }
        withExtendedLifetime(store) {}
    }

    /// Another member waits for them to be widened, and is told who can.
    @Test func anotherMemberIsToldWhoCanMendThem() async throws {
        let root = try Scene.temporaryDirectory()
        defer { Scene.remove(root) }
        let group = try made(in: root)
        #expect(chmod(root, 0o755) == 0)
        let log = group + "/" + Self.names[0]
        let descriptor = open(log, O_CREAT | O_EXCL | O_RDWR, 0o600)
        #expect(descriptor >= 0 && close(descriptor) == 0 && chown(log, 0, 1) == 0 && chmod(log, 0o640) == 0)
        await #expect(processExitsWith: .success) { [root = root as String, log = log as String] in
            guard setgroups(0, nil) == 0, setgid(1) == 0, setuid(61_001) == 0 else { exit(2) }
            do {
                _ = try Store.open(directory: root + "/store")
                exit(3)
            } catch let error as KeyStoreError {
                exit(
                    error
                        == KeyStoreError(
                            .permission, log, "mode 0640 keeps others of the store's group out",
                            hint: "user 0 puts it right by opening the store, or as root: chmod 660 \(log)") ? 0 : 4)
            }
        }
        #expect(chmod(log, 0o660) == 0)
        await #expect(processExitsWith: .success) { [root = root as String] in
            guard setgroups(0, nil) == 0, setgid(1) == 0, setuid(61_001) == 0 else { exit(2) }
            _ = try Store.open(directory: root + "/store")
        }
    }
}
