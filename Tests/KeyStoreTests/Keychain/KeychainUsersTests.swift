import Foundation
import Glibc
import Testing

@testable import KeyStore

/// App and extension as two users of one unix group, a stranger outside it: real processes, the kernel decides.
@Suite(.enabled(if: SessionFixture.isRoot, "not root: other users cannot be tried"))
final class KeychainUsersTests {
    typealias Holder = SessionFixture.Holder

    /// A group that every Debian has a name for, as stores are given to groups by name.
    private static let group = "daemon"
    private static let app = "61001:61001:1"
    private static let appExtension = "61002:61002:1"
    private static let stranger = "61003:61003"

    private let root: String
    private var directory: String { root + "/store" }
    private var folder: String { directory + "/" + StoreConfiguration.standardAccessGroup }
    private var keyFile: String { root + "/key" }

    init() throws {
        root = try Scene.temporaryDirectory()
        try #require(chown(root, 61001, 61001) == 0 && chmod(root, 0o755) == 0)
    }

    deinit { Scene.remove(root) }

    @Test(arguments: SessionFixture.holders)
    func appAndExtensionShareTheKeychainAndAStrangerHasNone(holder: Holder) throws {
        let app = try KeychainProcess(directory, holder, as: Self.app)
        #expect(try app.ask("create", Self.group, keyFile) == "ok")
        #expect(try app.ask("holder") == "ok \(holder == .agent ? "agent" : "kernel keyring")")
        let other = try KeychainProcess(directory, holder, as: Self.appExtension)
        let stranger = try KeychainProcess(directory, holder, as: Self.stranger)
        #expect(try app.ask("add", "mail", "anna", "first", "when-unlocked") == "ok")
        #expect(try other.ask("get", "mail", "anna") == "ok first")
        #expect(try other.ask("add", "mail", "bert", "second", "after-first-unlock") == "ok")
        #expect(try app.ask("search", "mail") == "ok anna,bert")
        #expect(try other.status("add", "mail", "anna", "x", "when-unlocked") == -25299)
        #expect(try app.ask("update", "mail", "bert", "third") == "ok")
        #expect(try other.ask("get", "mail", "bert") == "ok third")

        // The extension that is running sees the lock at once, and moves what it may.
        #expect(try app.ask("lock") == "ok")
        #expect(try other.status("get", "mail", "anna") == -25308)
        #expect(try other.ask("get", "mail", "bert") == "ok third")
        #expect(try other.status("move", "mail", "anna", "after-first-unlock") == -25308)
        #expect(try other.ask("state") == "ok locked")

        for command in [
            ["open"], ["get", "mail", "anna"], ["get", "mail", "nobody"], ["add", "x", "y", "z", "when-unlocked"],
            ["search", "mail"], ["update", "mail", "bert", "x"], ["delete", "mail", "bert"], ["state"],
            ["unlock", keyFile], ["lock"],
        ] {
            #expect(try stranger.status(command.joined(separator: " ")) == -34018, "\(command)")
        }
        #expect(try app.ask("unlock", keyFile) == "ok")
        #expect(try other.ask("move", "mail", "anna", "after-first-unlock") == "ok")
        #expect(try app.ask("lock") == "ok")
        #expect(try other.ask("get", "mail", "anna") == "ok first")
        #expect(try app.ask("restart") == "ok")
        #expect(try other.status("get", "mail", "bert") == -25308)
        #expect(try other.status("get", "mail", "nobody") == -25300)
        #expect(try other.status("delete", "mail", "bert") == -25308)
    }

    @Test(arguments: SessionFixture.holders)
    func anOwnStoreIsItsUsersAlone(holder: Holder) throws {
        let owner = try KeychainProcess(directory, holder, as: "61001:61001")
        #expect(try owner.ask("create", "-", keyFile) == "ok")
        #expect(try owner.ask("add", "mail", "anna", "first", "when-unlocked") == "ok")
        for identity in ["61002:61001", Self.appExtension, Self.stranger] {
            let other = try KeychainProcess(directory, holder, as: identity)
            #expect(try other.status("get", "mail", "anna") == -34018, "\(identity)")
        }
        #expect(try owner.ask("get", "mail", "anna") == "ok first")
        #expect(try owner.ask("restart") == "ok")
    }

    /// Whoever is the first to write makes files that the other can use, whatever the umask.
    @Test(arguments: ["000", "077", "777"])
    func filesOfEitherAreTheGroups(umask: String) throws {
        let app = try KeychainProcess(directory, as: Self.app, umask: umask)
        #expect(try app.ask("create", Self.group, keyFile) == "ok")
        let other = try KeychainProcess(directory, as: Self.appExtension, umask: umask)
        #expect(try other.ask("add", "mail", "anna", "first", "when-unlocked") == "ok")
        #expect(try app.ask("get", "mail", "anna") == "ok first")
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
            var status = stat()
            #expect(lstat(folder + "/" + name, &status) == 0)
            #expect(status.st_mode & 0o7777 == 0o660 && status.st_gid == 1, "\(name)")
        }
        #expect(try other.ask("restart") == "ok")
    }

    /// A member of the group leaves it: what runs goes on, as with the kernel's own groups; who comes new is a stranger.
    @Test func whoIsNoMemberAnyMoreIsAStranger() throws {
        let app = try KeychainProcess(directory, as: Self.app)
        #expect(try app.ask("create", Self.group, keyFile) == "ok")
        #expect(try app.ask("add", "mail", "anna", "first", "when-unlocked") == "ok")
        let former = try KeychainProcess(directory, as: "61002:61002")
        #expect(try former.status("get", "mail", "anna") == -34018)
        #expect(try app.ask("restart") == "ok")
    }

    @Test func aDatabaseSwappedUnderARunningProcessIsNotUsed() throws {
        let app = try KeychainProcess(directory, as: Self.app)
        #expect(try app.ask("create", Self.group, keyFile) == "ok")
        #expect(try app.ask("add", "mail", "anna", "first", "after-first-unlock") == "ok")
        let database = folder + "/store.sqlite"
        #expect(rename(database, database + ".away") == 0)
        try FileManager.default.copyItem(atPath: database + ".away", toPath: database)
        #expect(chown(database, 61001, 1) == 0 && chmod(database, 0o660) == 0)
        for command in [["get", "mail", "anna"], ["add", "mail", "bert", "x", "after-first-unlock"], ["search", "mail"]] {
            #expect(try app.status(command.joined(separator: " ")) == -34018, "\(command)")
        }
        #expect(rename(database + ".away", database) == 0)
        #expect(try app.ask("get", "mail", "anna") == "ok first")
        #expect(try app.ask("restart") == "ok")
    }
}
