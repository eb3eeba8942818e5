import Foundation
import KeyStore
import Testing

/// Locking where the keyring takes no key, or the disk no byte: it is locked, or it is said that it is not.
@Suite(.enabled(if: geteuid() == 0 && SmallDisk.isPossible, "needs root, to become an ordinary user and to mount"))
struct LockTroubleTests {
    /// Of no account on this machine, and another each time: the kernel lets go of a user's quota in its own time.
    private var user = UInt32.random(in: 700_000..<800_000)
    private let disk: SmallDisk
    private let folder: String
    private var store: String { folder + "/store" }

    init() throws {
        disk = try SmallDisk(byteCount: 128 << 20)
        folder = disk.path + "/work"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
        for name in ["keyctl", "session-probe"] { try Program.copy(name, into: folder) }
        try #require(chmod(disk.path, 0o711) == 0 && chown(folder, user, user) == 0 && chmod(folder, 0o700) == 0)
    }

    private func keyctl(_ line: String, leavingKeys room: Int? = nil, holder: String? = nil) throws -> Program {
        guard let room else { return try Program.keyctl(line, as: user, from: folder) }
        return try Program.keyctl(line, as: user, from: folder, leavingKeys: room, holder: holder)
    }

    private func makeStore() throws {
        let made = try keyctl("init --store \(store) --role device --key-file \(folder)/key")
        try #require(made.status == 0, "\(made.errors)")
    }

    /// The state as `status` tells it, without what holds the keys.
    private func state(leavingKeys room: Int? = nil) throws -> Substring? {
        let lines = try keyctl("status --store \(store)", leavingKeys: room).output.split(separator: "\n")
        return lines.dropFirst().first?.split(separator: ",").first
    }

    private func cleaning(_ body: () throws -> Void) rethrows {
        defer { _ = try? keyctl("lock --restart --store \(store)") }
        try body()
    }

    @Test(arguments: [("lock", "locked"), ("lock --restart", "before-first-unlock")])
    func aLockWithoutRoomForAKeyLocks(_ command: String, _ expected: String) throws {
        try makeStore()
        try cleaning {
            #expect(try state(leavingKeys: 0) == "unlocked")
            let locked = try keyctl("\(command) --store \(store)", leavingKeys: 0)
            #expect(locked.status == 0, "\(locked.errors)")
            #expect(locked.output == expected + "\n")
            #expect(try state() == Substring(expected))
            #expect(try state(leavingKeys: 0) == Substring(expected))
        }
    }

    @Test func anUnlockWithRoomForSomeKeysLeavesNone() throws {
        let line = "init --store \(store) --role device --key-file \(folder)/key"
        let made = try keyctl(line, leavingKeys: 3, holder: "keyring")
        #expect(made.status == 69)
        #expect(made.errors.contains("the store is made, and is locked: "), "\(made.errors)")
        #expect(made.errors.contains("quota of kernel keys is used up"))
        #expect(made.errors.contains("WAXWING_SESSION_HOLDER=agent, then keyctl unlock"))
        try cleaning {
            #expect(try state() == "before-first-unlock")
            let unlock = "unlock --key-file \(folder)/key --store \(store)"
            let again = try keyctl(unlock, leavingKeys: 3, holder: "keyring")
            #expect(again.status == 69, "\(again)")
            #expect(try state() == "before-first-unlock")
            #expect(try keyctl(unlock, leavingKeys: 0, holder: "agent").status == 0)
            #expect(try state() == "unlocked")
        }
    }

    enum Harm: CaseIterable { case full, readOnly }

    @Test(arguments: Harm.allCases, [(false, false), (true, false), (false, true), (true, true)])
    func aLockThatCannotBeWrittenLocks(_ harm: Harm, _ how: (restart: Bool, isOpen: Bool)) throws {
        // Of root, so that this process can open it.
        var here = self
        here.user = 0
        #expect(chown(folder, 0, 0) == 0)
        try here.check(harm, how.restart, how.isOpen)
    }

    private func check(_ harm: Harm, _ restart: Bool, _ isOpen: Bool) throws {
        try makeStore()
        try cleaning {
            // With another process at it, what SQLite keeps beside the database is there.
            let other = isOpen ? try Store.open(directory: store) : nil
            _ = try other?.lockState
            if harm == .full { try disk.fill(leaving: 0) } else { try disk.setReadOnly(true) }
            let locked = try keyctl("lock \(restart ? "--restart " : "")--store \(store)")
            if harm == .full { disk.makeRoom() } else { try disk.setReadOnly(false) }
            let expected = restart ? "before-first-unlock" : "locked"
            #expect(locked.status == 0, "\(locked.errors)")
            #expect(locked.output == expected + "\n")
            #expect(locked.errors.hasPrefix("keyctl: warning: the store is locked, but "), "\(locked.errors)")
            #expect(locked.errors.contains(harm == .full ? "full" : "Read-only"), "\(locked.errors)")
            #expect(try state() == Substring(expected))
            withExtendedLifetime(other) {}
        }
    }
}
