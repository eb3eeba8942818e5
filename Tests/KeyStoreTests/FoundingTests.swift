import EnvelopeFormat
import FoundationEssentials
import Glibc
import Testing

@testable import KeyStore

@Suite struct FoundingTests {
    private func configuration(_ root: String, _ group: String = StoreConfiguration.standardAccessGroup)
        -> StoreConfiguration
    {
        StoreConfiguration(role: .sealer, accessGroup: group, unlock: .keyFile(path: root + "/key"))
    }

    @Test func anExistingStoreIsRefusedAndStays() throws {
        let scene = try Scene(.sealer)
        let error = failure {
            _ = try Store.create(directory: scene.directory, configuration: configuration(scene.root), now: 1)
        }
        #expect(error?.kind == .alreadyExists)
        #expect(try scene.reopened().identifier == scene.store.identifier)
    }

    /// It would shadow the one that is there, or leave both without a name to be opened by.
    @Test func aStoreOfAnotherAccessGroupIsRefusedAndTheFirstStays() throws {
        let scene = try Scene(.sealer)
        let error = failure {
            _ = try Store.create(
                directory: scene.directory, configuration: configuration(scene.root, "group.com.example"), now: 1)
        }
        let standard = StoreConfiguration.standardAccessGroup
        let expected = KeyStoreError(
            .alreadyExists, scene.directory, "there is a store already, of access group \(standard)")
        #expect(error == expected)
        #expect(failure { try Store.requireAbsent(directory: scene.directory) } == expected)
        let inside = failure {
            _ = try Store.create(
                directory: scene.directory + "/" + standard, configuration: configuration(scene.root), now: 1)
        }
        #expect(inside?.kind == .alreadyExists && inside?.reason == "it is the access group of a store")
        #expect(try FileManager.default.contentsOfDirectory(atPath: scene.directory) == [standard])
        #expect(try scene.reopened().identifier == scene.store.identifier)
        #expect(
            failure { _ = try Store.open(directory: scene.directory, accessGroup: "group.other") }?.kind == .unavailable
        )
    }

    @Test func theStartKeyOfTheLogIsMadeWithTheStoreOrNotAtAll() throws {
        let root = try Scene.temporaryDirectory()
        defer { Scene.remove(root) }
        let (directory, file) = (root + "/store", root + "/audit.key")
        var wanted = configuration(root)
        wanted.auditKeyFile = file
        // Another store is in the way: found out after the file was made.
        #expect(mkdir(directory, 0o700) == 0 && mkdir(directory + "/" + wanted.accessGroup, 0o700) == 0)
        #expect(failure { _ = try Store.create(directory: directory, configuration: wanted, now: 1) } != nil)
        #expect(access(file, F_OK) != 0)
        #expect(rmdir(directory + "/" + wanted.accessGroup) == 0)
        let store = try Store.create(directory: directory, configuration: wanted, now: 1)
        var status = stat()
        #expect(lstat(file, &status) == 0 && status.st_mode & 0o7777 == 0o600)
        let key = try AuditKey(parsing: Array(try Data(contentsOf: URL(filePath: file))))
        #expect(try store.verifyAudit(key: key).entries == 1)
        #expect(try store.status(now: 1).audit?.checkpointKey == key.checkpointKey)
        wanted.unlock = .keyFile(path: root + "/other.key")
        let taken = failure { _ = try Store.create(directory: root + "/other", configuration: wanted, now: 1) }
        #expect(taken?.kind == .alreadyExists && taken?.subject == file)
        #expect(access(root + "/other", F_OK) != 0 && access(root + "/other.key", F_OK) != 0)
        #expect(try AuditKey(parsing: Array(try Data(contentsOf: URL(filePath: file)))).log == key.log)
    }

    /// What is refused when nearly all is made: nothing stays, and it can be repeated with what was wrong put right.
    @Test func aRefusedFoundingLeavesNothing() throws {
        let root = try Scene.temporaryDirectory()
        defer { Scene.remove(root) }
        func names() throws -> Set<String> { Set(try FileManager.default.contentsOfDirectory(atPath: root)) }
        let directory = root + "/store"
        var wanted = configuration(root)
        wanted.auditKeyFile = root + "/audit.key"
        for anchor in [root + "/key", root + "/audit.key", directory + "/anchor", root + "/none/anchor"] {
            wanted.anchor = anchor
            let refused = failure { _ = try Store.create(directory: directory, configuration: wanted, now: 1) }
            #expect(refused != nil && refused == failure { try Store.checkCreation(directory: directory, configuration: wanted, now: 1) })
            #expect(try names().isEmpty, "\(anchor)")
        }
        // The last step fails: somebody takes the place of the anchor meanwhile.
        wanted.anchor = root + "/anchor"
        var founding = try StoreFounding(AbsolutePath(directory), wanted, now: 1)
        founding.contents = { (_) throws(KeyStoreError) in _ = try KeyFile(root + "/anchor", group: nil).makeIfAbsent() }
        #expect(failure { _ = try Store.create(founding) }?.kind == .alreadyExists)
        #expect(try names() == ["anchor"])
        #expect(unlink(root + "/anchor") == 0)
        try Store.checkCreation(directory: directory, configuration: wanted, now: 1)
        #expect(try names().isEmpty)
        let store = try Store.create(directory: directory, configuration: wanted, now: 1)
        #expect(try store.status(verify: true, now: 1).anchor?.state == .holds)
        #expect(try names() == ["anchor", "audit.key", "key", "store"])
    }

    /// A key file is there when the store is, so that nothing else is opened by one that is taken away again.
    @Test func aKeyFileThatAnotherMadeMeanwhileIsLeftAlone() throws {
        let root = try Scene.temporaryDirectory()
        defer { Scene.remove(root) }
        var founding = try StoreFounding(AbsolutePath(root + "/store"), configuration(root), now: 1)
        founding.contents = { (_) throws(KeyStoreError) in _ = try KeyFile(root + "/key", group: nil).makeIfAbsent() }
        #expect(failure { _ = try Store.create(founding) }?.kind == .busy)
        #expect(try FileManager.default.contentsOfDirectory(atPath: root) == ["key"])
    }

    @Test func whatHoldsNoDatabaseIsNoAccessGroup() throws {
        let root = try Scene.temporaryDirectory()
        defer { Scene.remove(root) }
        let directory = root + "/store"
        #expect(mkdir(directory, 0o700) == 0 && mkdir(directory + "/keys", 0o700) == 0)
        try Store.requireAbsent(directory: directory)
        try Store.requireAbsent(directory: root + "/nowhere")
        let empty = failure { _ = try Store.open(directory: directory) }
        #expect(empty == KeyStoreError(.unavailable, directory, "there is no store"))
        #expect(
            failure { _ = try Store.open(directory: "/etc") }
                == KeyStoreError(.unavailable, "/etc", "there is no store"))
        let store = try Store.create(
            directory: directory, configuration: configuration(root, "group.com.example"), now: 1)
        #expect(try Store.open(directory: directory).identifier == store.identifier)
        #expect(rename(directory + "/group.com.example", directory + "/a") == 0)
        for name in ["b", "c"] {
            try FileManager.default.copyItem(atPath: directory + "/a", toPath: directory + "/" + name)
        }
        #expect(
            failure { _ = try Store.open(directory: directory) }
                == KeyStoreError(.badInput, directory, "it has 3 access groups, none the standard one"))
    }

    @Test func ofTwoGroupsFoundedAtOnceOneIsMade() async throws {
        let root = try Scene.temporaryDirectory()
        defer { Scene.remove(root) }
        #expect(mkdir(root + "/store", 0o700) == 0)
        let configurations = [configuration(root, "group.a"), configuration(root, "group.b")]
        let made = await withTaskGroup(of: Bool.self) { group in
            for configuration in configurations {
                group.addTask {
                    (try? Store.create(directory: root + "/store", configuration: configuration, now: 1)) != nil
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(made == 1)
        _ = try Store.open(directory: root + "/store")
    }

    @Test func theOnlyAccessGroupNeedNotBeNamed() throws {
        let root = try Scene.temporaryDirectory()
        defer { Scene.remove(root) }
        let store = try Store.create(
            directory: root + "/store", configuration: configuration(root, "group.com.example"), now: 1)
        #expect(try Store.open(directory: root + "/store").identifier == store.identifier)
    }

    @Test(arguments: ["", "..", "a/b", ".hidden", "1group", "g r", String(repeating: "g", count: 65)])
    func aNameThatIsNoDirectoryOfItsOwnIsRefused(name: String) throws {
        let root = try Scene.temporaryDirectory()
        defer { Scene.remove(root) }
        let error = failure {
            _ = try Store.create(directory: root + "/store", configuration: configuration(root, name), now: 1)
        }
        #expect(error?.kind == .badInput && access(root + "/store", F_OK) != 0)
    }

    @Test func whatFailsLeavesNothing() throws {
        let root = try Scene.temporaryDirectory()
        defer { Scene.remove(root) }
        let configuration = StoreConfiguration(role: .sealer, unlock: .keyFile(path: root + "/nowhere/key"))
        #expect(
            failure { _ = try Store.create(directory: root + "/store", configuration: configuration, now: 1) }?.kind
                == .cannotCreate)
        #expect(try FileManager.default.contentsOfDirectory(atPath: root).isEmpty)
    }

    @Test func aKilledAttemptBlocksNoOther() async throws {
        let root = try Scene.temporaryDirectory()
        defer { Scene.remove(root) }
        await #expect(processExitsWith: .signal(SIGKILL)) { [root = root as String] in
            let path = try AbsolutePath(root + "/store")
            let parent = try ParentDirectory.open(path.parent)
            let rules = AccessRules(owner: geteuid(), group: nil)
            try FoundingPlace(parent, path.parent, path.name, rules).fill(
                { (directory, inner) throws(KeyStoreError) in
                    try GenerationFile.make(in: directory, inner, rules)
                    kill(getpid(), SIGKILL)
                }, kept: { (_: Void) in })
        }
        #expect(failure { _ = try Store.open(directory: root + "/store") }?.kind == .unavailable)
        let store = try Store.create(directory: root + "/store", configuration: configuration(root), now: 1)
        #expect(try store.status(verify: true, now: 1).verifiedRows ?? 0 > 0)
    }

    @Test func ofTwoAtOnceOneSucceeds() async throws {
        let root = try Scene.temporaryDirectory()
        defer { Scene.remove(root) }
        let configuration = configuration(root)
        let made = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    (try? Store.create(directory: root + "/store", configuration: configuration, now: 1)) != nil
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(made == 1)
        #expect(try Store.open(directory: root + "/store").status(verify: true, now: 1).verifiedRows ?? 0 > 0)
    }

    @Test func rolesAreNotMistakenForEachOther() throws {
        let sealer = try Scene(.sealer)
        let device = try Scene(.device)
        #expect(failure { _ = try SealerStore(device.store) }?.kind == .wrongRole)
        #expect(failure { _ = try DeviceStore(sealer.store) }?.kind == .wrongRole)
    }

    /// Exit code 66 is for the conversation or device that was named.
    @Test func whatIsMissingOfTheStoreIsUnavailable() throws {
        let scene = try Scene(.sealer)
        let group = scene.directory + "/" + StoreConfiguration.standardAccessGroup
        func kind(_ directory: String, _ group: String? = nil) -> KeyStoreError.Kind? {
            failure { _ = try Store.open(directory: directory, accessGroup: group) }?.kind
        }
        #expect(kind(scene.root + "/nowhere") == .unavailable && kind(scene.root + "/a/b/c", "g") == .unavailable)
        #expect(kind(scene.keyFile) == .unavailable && kind(scene.keyFile + "/store") == .unavailable)
        #expect(kind(scene.directory, "group.other") == .unavailable)
        let sealer = try SealerStore(scene.store)
        #expect(rename(scene.directory, scene.directory + "-") == 0)
        #expect(failure { _ = try sealer.conversations() }?.kind == .unavailable && kind(scene.directory) == .unavailable)
        #expect(rename(scene.directory + "-", scene.directory) == 0)
        #expect(unlink(scene.keyFile) == 0)
        #expect(failure { _ = try sealer.conversations() }?.kind == .unavailable)
        #expect(unlink(scene.database) == 0)
        #expect(kind(scene.directory) == .unavailable && kind(scene.directory, "group.waxwing.default") == .unavailable)
        #expect(access(group, F_OK) == 0)
    }
}
