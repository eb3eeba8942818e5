import EnvelopeFormat
import Glibc
import Testing

@testable import KeyStore

@Suite struct AccessTests {
    private func mode(_ path: String) -> UInt32 {
        var status = stat()
        return lstat(path, &status) == 0 ? status.st_mode & 0o7777 : 0
    }

    private func group(_ scene: Scene) -> String { scene.directory + "/" + StoreConfiguration.standardAccessGroup }

    @Test func everythingIsMadeForItsOwnerAlone() throws {
        let scene = try Scene(.sealer)
        _ = try SealerStore(scene.store).enroll(try Phone().document(), now: scene.now)
        #expect(mode(scene.directory) == 0o700 && mode(group(scene)) == 0o700)
        for name in ["store.sqlite", "store.sqlite-wal", "store.sqlite-shm", "generation"] {
            #expect(mode(group(scene) + "/" + name) == 0o600, "\(name)")
        }
    }

    @Test(arguments: [mode_t(0o000), 0o077, 0o777]) func theModesAreFinalWhateverTheUmask(mask: mode_t) async throws {
        let root = try Scene.temporaryDirectory()
        defer { Scene.remove(root) }
        await #expect(processExitsWith: .success) { [root = root as String, mask = mask as mode_t] in
            umask(mask)
            let store = try Store.create(
                directory: root + "/store",
                configuration: StoreConfiguration(
                    role: .sealer, unixGroup: "daemon", unlock: .keyFile(path: root + "/key")), now: 1)
            _ = try SealerStore(store).enroll(try Phone().document(), now: 1)
            // SQLite removes its log when the last connection goes.
            withExtendedLifetime(store) { _exit(0) }
        }
        #expect(mode(root + "/key") == 0o640)
        let directory = root + "/store"
        let group = directory + "/" + StoreConfiguration.standardAccessGroup
        #expect(mode(directory) == 0o2770 && mode(group) == 0o2770)
        for name in ["store.sqlite", "store.sqlite-wal", "store.sqlite-shm", "generation"] {
            var status = stat()
            #expect(lstat(group + "/" + name, &status) == 0, "\(name)")
            #expect(status.st_mode & 0o7777 == 0o660 && status.st_gid == 1, "\(name)")
        }
        let store = try Store.open(directory: directory)
        #expect(try SealerStore(store).devices().count == 1)
    }

    @Test(arguments: [
        "", "/group.waxwing.default", "/group.waxwing.default/store.sqlite", "/group.waxwing.default/generation",
    ])
    func whatOthersCanReachIsRefused(name: String) throws {
        let scene = try Scene(.sealer)
        let path = scene.directory + name
        let before = mode(path)
        for extra: mode_t in [0o001, 0o004, 0o040, 0o060] where !(extra == 0o001 && before == 0o600) {
            #expect(chmod(path, before | extra) == 0)
            let error = failure { _ = try scene.reopened() }
            #expect(error?.kind == .permission && error?.subject == path, "\(path) \(String(describing: error))")
            #expect(error?.reason.contains("0\(String(before | extra, radix: 8))") == true)
        }
        #expect(chmod(path, before) == 0)
        _ = try scene.reopened()
    }

    @Test(arguments: [
        "", "/group.waxwing.default", "/group.waxwing.default/store.sqlite", "/group.waxwing.default/generation",
    ])
    func aSymbolicLinkInTheWayIsRefused(name: String) throws {
        let scene = try Scene(.sealer)
        let path = scene.directory + name
        #expect(rename(path, scene.root + "/moved") == 0)
        #expect(symlink(scene.root + "/moved", path) == 0)
        let error = failure { _ = try scene.reopened() }
        #expect(error == KeyStoreError(.permission, path, "it is a symbolic link"))
    }

    @Test(arguments: ["-wal", "-shm", "-journal"]) func whatSQLiteKeepsBesideIsLookedAtToo(suffix: String) throws {
        let scene = try Scene(.device)
        let path = scene.database + suffix
        unlink(path)
        let descriptor = open(path, O_CREAT | O_EXCL | O_WRONLY, 0o600)
        #expect(descriptor >= 0 && close(descriptor) == 0)
        for (mode, reason) in [
            (mode_t(0o604), "mode 0604 lets everybody in"), (0o660, "mode 0660 lets a group in that was not asked for"),
        ] {
            #expect(chmod(path, mode) == 0)
            let error = failure { _ = try scene.reopened() }
            #expect(error?.kind == .permission && error?.subject == path && error?.reason == reason)
        }
        #expect(chmod(path, 0o600) == 0 && chown(path, 65_534, 65_534) == 0)
        let error = failure { _ = try scene.reopened() }
        let hint = "as root: chown \(geteuid()) \(path)"
        #expect(error == KeyStoreError(.permission, path, "it is of user 65534", hint: hint))
        #expect(unlink(path) == 0 && symlink("/etc/hostname", path) == 0)
        #expect(failure { _ = try scene.reopened() } == KeyStoreError(.permission, path, "it is a symbolic link"))
    }

    @Test func aParentThatOthersCouldReplaceIsRefusedAtEveryLevel() throws {
        let root = try Scene.temporaryDirectory()
        defer { Scene.remove(root) }
        let (upper, lower) = (root + "/upper", root + "/upper/lower")
        for path in [upper, lower] { #expect(mkdir(path, 0o755) == 0) }
        let store = try Store.create(
            directory: lower + "/store",
            configuration: StoreConfiguration(role: .device, unlock: .keyFile(path: root + "/key")), now: 1)
        defer { try? store.lock(restart: true, now: 2) }
        func refusal() -> KeyStoreError? { failure { _ = try Store.open(directory: lower + "/store") } }
        for path in [upper, lower] {
            #expect(chmod(path, 0o757) == 0)
            #expect(refusal() == KeyStoreError(.permission, path, "mode 0757 is writable by others", hint: "chmod o-w \(path)"))
            #expect(chmod(path, 0o775) == 0 && chown(path, 0, 65_534) == 0)
            #expect(refusal() == KeyStoreError(.permission, path, "mode 0775 is writable by group 65534", hint: "chmod g-w \(path)"))
            #expect(chmod(path, 0o1777) == 0 && refusal() == nil)
            #expect(chmod(path, 0o755) == 0 && chown(path, 65_534, 0) == 0)
            #expect(
                refusal()
                    == KeyStoreError(
                        .permission, path, "it is of user 65534, who could replace what is in it", hint: "as root: chown root \(path)"))
            #expect(chown(path, 0, 0) == 0 && refusal() == nil)
            #expect(rename(path, root + "/moved") == 0 && symlink(root + "/moved", path) == 0)
            let link = refusal()
            #expect(link?.kind == .permission && link?.subject == path && link?.reason == "it is a symbolic link")
            #expect(unlink(path) == 0 && rename(root + "/moved", path) == 0 && refusal() == nil)
        }
    }

    @Test func aParentThatIsALinkOrWritableByOthersIsRefused() throws {
        let scene = try Scene(.sealer)
        let link = scene.root + "-link"
        #expect(symlink(scene.root, link) == 0)
        defer { unlink(link) }
        #expect(failure { _ = try Store.open(directory: link + "/store") }?.reason == "it is a symbolic link")
        #expect(chmod(scene.root, 0o777) == 0)
        let error = failure { _ = try scene.reopened() }
        let hint = "chmod o-w \(scene.root)"
        #expect(error == KeyStoreError(.permission, scene.root, "mode 0777 is writable by others", hint: hint))
        #expect(chmod(scene.root, 0o1777) == 0)
        _ = try scene.reopened()
    }

    @Test func whatIsNoRegularFileIsRefused() throws {
        let scene = try Scene(.sealer)
        #expect(unlink(scene.database) == 0 && mkfifo(scene.database, 0o600) == 0)
        let error = failure { _ = try scene.reopened() }
        #expect(error == KeyStoreError(.permission, scene.database, "it is not a regular file"))
    }

    @Test func aStoreOfAnotherUserIsRefused() throws {
        let scene = try Scene(.sealer)
        #expect(chown(scene.directory, 65_534, 65_534) == 0)
        let error = failure { _ = try scene.reopened() }
        #expect(error == KeyStoreError(.permission, scene.directory, "it is of user 65534", hint: "run it as that user"))
    }

    @Test func aGroupThatWasNotAskedForIsRefusedThoughTheModesAgree() throws {
        let scene = try Scene(.sealer)
        for path in [scene.directory, group(scene)] { #expect(chmod(path, 0o2770) == 0) }
        for name in ["store.sqlite", "store.sqlite-wal", "store.sqlite-shm", "generation"] {
            chmod(group(scene) + "/" + name, 0o660)
        }
        let error = failure { _ = try scene.reopened() }
        #expect(error?.kind == .permission)
        #expect(error?.reason == "owner, group or name is not that with which the store was made")
    }

    @Test func aDirectoryOnlyToBeReadIsAnErrorAndChangesNothing() async throws {
        let scene = try Scene(.sealer)
        let (root, directory) = (scene.root, scene.directory)
        _ = try SealerStore(scene.store).enroll(try Phone().document(), now: scene.now)
        await #expect(processExitsWith: .success) { [root = root as String, directory = directory as String] in
            let group = directory + "/" + StoreConfiguration.standardAccessGroup
            for name in ["store.sqlite-wal", "store.sqlite-shm"] { unlink(group + "/" + name) }
            for path in [root, root + "/key", directory, group, group + "/store.sqlite", group + "/generation"] {
                guard chown(path, 65_534, 65_534) == 0 else { exit(2) }
            }
            guard chmod(group, 0o500) == 0, setegid(65_534) == 0, seteuid(65_534) == 0 else { exit(3) }
            do {
                let store = try SealerStore(try Store.open(directory: directory))
                _ = try store.enroll(try Phone().document(), now: 1)
                exit(4)
            } catch let error as KeyStoreError {
                guard error.kind == .permission || error.kind == .readOnly else { exit(5) }
                exit(
                    error.subject == group
                        && error.reason.hasPrefix("the directory cannot be written, which readers need too") ? 0 : 6)
            }
        }
    }

    @Test func aFileThatCannotBeReadIsPermissionAndNotAbsence() async throws {
        let scene = try Scene(.sealer)
        let (root, directory) = (scene.root, scene.directory)
        await #expect(processExitsWith: .success) { [root = root as String, directory = directory as String] in
            let group = directory + "/" + StoreConfiguration.standardAccessGroup
            for path in [root, root + "/key", directory, group, group + "/store.sqlite", group + "/generation"] {
                guard chown(path, 65_534, 65_534) == 0 else { exit(2) }
            }
            for name in ["store.sqlite-wal", "store.sqlite-shm"] { unlink(group + "/" + name) }
            guard chmod(group + "/store.sqlite", 0o000) == 0, setegid(65_534) == 0, seteuid(65_534) == 0 else {
                exit(3)
            }
            do {
                _ = try Store.open(directory: directory)
                exit(4)
            } catch let error as KeyStoreError {
                exit(error.kind == .permission && error.subject.hasSuffix("store.sqlite") ? 0 : 5)
            }
        }
    }
}
