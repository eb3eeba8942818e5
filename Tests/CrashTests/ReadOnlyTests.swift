import Foundation
import Testing

/// A store that its own user, who is not root, may only read: a clear error, nothing changed, and it works again after.
@Suite(.enabled(if: geteuid() == 0 && SmallDisk.isPossible, "needs root, to become an ordinary user and to mount"))
struct ReadOnlyTests {
    private static let user: UInt32 = 61_003
    private let folder: String
    private var store: String { folder + "/store" }
    private var group: String { store + "/group.waxwing.default" }
    private var database: String { group + "/store.sqlite" }

    init() throws {
        folder = try PreparedOperation.temporaryFolder(in: "/tmp")
        try Program.copy("keyctl", into: folder)
        try #require(chown(folder, Self.user, Self.user) == 0)
        for command in [
            "init --store \(store) --role sealer --key-file \(folder)/key",
            "provision --store \(store) --conversation chat --alg split --until 2100-01-01",
        ] {
            let made = try keyctl(command)
            try #require(made.status == 0, "\(made.errors)")
        }
    }

    private func keyctl(_ line: String) throws -> Program { try Program.keyctl(line, as: Self.user, from: folder) }

    /// Runs the body with the folder as it is, removes it then.
    private func cleaning(_ body: () throws -> Void) rethrows {
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try body()
    }

    /// The key and the state of the one conversation, as `show` tells them.
    private func state() throws -> String {
        let shown = try keyctl("show --store \(store) --json chat")
        #expect(shown.status == 0, "\(shown.errors)")
        return shown.output
    }

    /// Nothing can be written, with that exit code and that path named; then it can again.
    private func check(_ status: Int32, naming path: String, in other: String? = nil, undo: () throws -> Void) throws {
        let store = other ?? store
        let rotated = try keyctl("rotate --rekey --store \(store) --conversation chat")
        #expect(rotated.status == status, "\(rotated)")
        #expect(rotated.errors.hasPrefix("keyctl: error: \(path): "), "\(rotated.errors)")
        let listed = try keyctl("list --store \(store)")
        // Either it is read, or it is said why not.
        #expect(listed.status == 0 || listed.errors.hasPrefix("keyctl: error: \(path): "), "\(listed)")
        try undo()
        #expect(try keyctl("status --verify --store \(self.store)").status == 0)
    }

    @Test func aDatabaseOnlyToBeRead() throws {
        try cleaning {
            let before = try state()
            #expect(chmod(database, 0o400) == 0)
            try check(77, naming: database) { #expect(chmod(database, 0o600) == 0) }
            #expect(try state() == before)
            let rotated = try keyctl("rotate --rekey --store \(store) --conversation chat")
            #expect(rotated.status == 0, "\(rotated.errors)")
        }
    }

    @Test func aDirectoryOnlyToBeRead() throws {
        try cleaning {
            let before = try state()
            #expect(chmod(group, 0o500) == 0)
            try check(77, naming: group) { #expect(chmod(group, 0o700) == 0) }
            #expect(try state() == before)
            let rotated = try keyctl("rotate --rekey --store \(store) --conversation chat")
            #expect(rotated.status == 0, "\(rotated.errors)")
        }
    }

    @Test func aFileSystemOnlyToBeRead() throws {
        try cleaning {
            let before = try state()
            let view = folder + "/view"
            #expect(mkdir(view, 0o700) == 0 && mount(store, view, nil, UInt(MS_BIND), nil) == 0)
            defer { umount2(view, Int32(MNT_DETACH)) }
            #expect(mount(nil, view, nil, UInt(MS_REMOUNT) | UInt(MS_BIND) | UInt(MS_RDONLY), nil) == 0)
            try check(74, naming: view + "/group.waxwing.default", in: view) {
                #expect(mount(nil, view, nil, UInt(MS_REMOUNT) | UInt(MS_BIND), nil) == 0)
            }
            #expect(try state() == before)
            let rotated = try keyctl("rotate --rekey --store \(view) --conversation chat")
            #expect(rotated.status == 0, "\(rotated.errors)")
        }
    }
}
