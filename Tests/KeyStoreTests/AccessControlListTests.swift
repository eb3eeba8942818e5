import CTestFaults
import Glibc
import Testing

@testable import KeyStore

/// A mode does not show whom an access control list lets in by name.
@Suite(.enabled(if: GivenAccess.canBeTried, "not root, or a file system without access control lists"))
struct AccessControlListTests {
    private func store(in root: String) throws -> Store {
        try Store.create(
            directory: root + "/store",
            configuration: StoreConfiguration(
                role: .device, unixGroup: "daemon", unlock: .keyFile(path: root + "/key")), now: 1)
    }

    private func refusal(_ root: String) -> KeyStoreError? { failure { _ = try Store.open(directory: root + "/store") } }

    /// Nothing of a new store has the list that its directory gives on.
    @Test func whatIsMadeHasNone() throws {
        let root = try Scene.temporaryDirectory()
        defer { Scene.remove(root) }
        #expect(GivenAccess.set(.inherited, root))
        let store = try store(in: root)
        defer { try? store.lock(restart: true, now: 2) }
        let group = "/store/" + StoreConfiguration.standardAccessGroup
        for name in ["/store", group, group + "/store.sqlite", group + "/store.sqlite-wal", group + "/generation", "/key"] {
            for kind in AccessControlList.Kind.allCases {
                #expect(waxwing_test_attribute(root + name, kind.rawValue) == -1, "\(name) \(kind)")
            }
        }
        #expect(refusal(root) == nil)
    }

    @Test func whoIsLetInByNameIsRefused() throws {
        let root = try Scene.temporaryDirectory()
        defer { Scene.remove(root) }
        let store = try store(in: root)
        defer { try? store.lock(restart: true, now: 2) }
        let group = root + "/store/" + StoreConfiguration.standardAccessGroup
        for (path, kinds) in [
            (root + "/store", AccessControlList.Kind.allCases), (group, AccessControlList.Kind.allCases),
            (group + "/store.sqlite", [.access]), (group + "/store.sqlite-wal", [.access]),
            (group + "/store.sqlite-shm", [.access]), (group + "/generation", [.access]),
        ] {
            var status = stat()
            #expect(lstat(path, &status) == 0)
            for kind in kinds {
                #expect(GivenAccess.set(kind, path) && chmod(path, status.st_mode & 0o7777) == 0)
                #expect(
                    refusal(root)
                        == KeyStoreError(
                            .permission, path, "an access control list lets others in", hint: "setfacl -b \(path)"),
                    "\(path) \(kind)")
                #expect(waxwing_test_remove_attribute(path, kind.rawValue) == 0)
                #expect(chmod(path, status.st_mode & 0o7777) == 0 && refusal(root) == nil)
            }
        }
    }

    /// A directory above in which somebody by name may replace the store.
    @Test func whoCouldReplaceTheStoreIsRefused() throws {
        let root = try Scene.temporaryDirectory()
        defer { Scene.remove(root) }
        let store = try store(in: root)
        defer { try? store.lock(restart: true, now: 2) }
        #expect(chmod(root, 0o755) == 0 && GivenAccess.set(.access, root))
        #expect(
            refusal(root)
                == KeyStoreError(
                    .permission, root, "an access control list lets others write", hint: "setfacl -b \(root)"))
        // The mask of the list is the mode's group: 0755 leaves nobody the right to write.
        #expect(chmod(root, 0o755) == 0 && refusal(root) == nil)
    }

    @Test func sessionFilesAreLookedAtToo() throws {
        let fixture = try SessionFixture(group: getegid())
        let place = try SessionPlace(storeIdentifier: fixture.store, directory: fixture.directory, group: getegid())
        let directory = try SessionDirectory(place)
        _ = try SessionFile.open("session-k.id", in: directory, group: getegid())
        let refused = SessionError.unsafe(
            path: fixture.path("session-k.id"), reason: "an access control list lets others in")
        #expect(GivenAccess.set(.access, fixture.path("session-k.id")) && chmod(fixture.path("session-k.id"), 0o660) == 0)
        #expect(throws: refused) { try SessionFile.open("session-k.id", in: directory, group: getegid()) }
        #expect(GivenAccess.set(.inherited, fixture.directory))
        #expect(throws: SessionError.unsafe(path: fixture.directory, reason: "an access control list lets others in")) {
            try SessionDirectory(place)
        }
    }

    @Test func aKeyFileOfAGroupIsLookedAtToo() throws {
        let root = try Scene.temporaryDirectory()
        defer { Scene.remove(root) }
        let file = try KeyFile(root + "/key", group: 1)
        #expect(try file.makeIfAbsent())
        #expect(chown(root + "/key", 0, 1) == 0 && GivenAccess.set(.access, root + "/key") && chmod(root + "/key", 0o640) == 0)
        let error = failure { _ = try file.read() }
        #expect(error?.kind == .permission && error?.reason == "an access control list lets others in")
        #expect(chmod(root + "/key", 0o600) == 0)
        _ = try file.read()
    }
}
