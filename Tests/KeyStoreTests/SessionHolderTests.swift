import Foundation
import Glibc
import Testing

@testable import KeyStore

/// One body over both holders, with one user's own store and with a group's.
@Suite struct SessionHolderTests {
    typealias Holder = SessionFixture.Holder

    static let key = String(repeating: "0123456789abcdef", count: 4)
    static let otherKey = String(repeating: "fedcba9876543210", count: 4)

    @Test(.enabled(if: SessionFixture.hasKeyring, "no kernel keyring here: only the agent is tested"))
    func keyringCanBeHad() throws {
        #expect(try SessionFixture().probe(nil, "name").output == "kernel keyring")
    }

    @Test(arguments: SessionFixture.holders, [false, true])
    func keepsKeysForOtherProcesses(holder: Holder, isShared: Bool) throws {
        let fixture = try SessionFixture(group: isShared ? getegid() : nil)
        #expect(try fixture.probe(holder, "name").output == (holder == .agent ? "agent" : "kernel keyring"))
        #expect(try fixture.probe(holder, "fetch", "when-unlocked").output == "absent")
        #expect(try fixture.probe(holder, "put", "when-unlocked", Self.key).output == "put")
        #expect(try fixture.probe(holder, "put", "after-first-unlock", Self.otherKey).output == "put")
        #expect(try fixture.probe(holder, "fetch", "when-unlocked").output == Self.key)
        #expect(try fixture.probe(holder, "put", "when-unlocked", Self.otherKey + "00").output == "put")
        #expect(try fixture.probe(holder, "fetch", "when-unlocked").output == Self.otherKey + "00")

        #expect(try fixture.probe(holder, "evict", "when-unlocked").output == "evicted")
        #expect(try fixture.probe(holder, "fetch", "when-unlocked").output == "absent")
        #expect(try fixture.probe(holder, "fetch", "after-first-unlock").output == Self.otherKey)
        #expect(try fixture.probe(holder, "evict", "when-unlocked", "after-first-unlock").output == "evicted")
        #expect(try fixture.probe(holder, "evict", "when-unlocked", "after-first-unlock").output == "evicted")
        #expect(try fixture.probe(holder, "fetch", "after-first-unlock").output == "absent")
    }

    @Test(
        .enabled(if: SessionFixture.hasKeyring, "no kernel keyring here"),
        arguments: SessionFixture.holders, [false, true])
    func keepsKeysForOtherLogins(holder: Holder, isShared: Bool) throws {
        let fixture = try SessionFixture(group: isShared ? getegid() : nil)
        let other = ["--new-session"]
        #expect(try fixture.probe(holder, options: other, "put", "k", Self.key).output == "put")
        #expect(try fixture.probe(holder, options: other, "fetch", "k").output == Self.key)
        #expect(try fixture.probe(holder, "put", "k", Self.otherKey).output == "put")
        #expect(try fixture.probe(holder, options: other, "fetch", "k").output == Self.otherKey)
        #expect(try fixture.probe(holder, options: other, "evict", "k").output == "evicted")
        #expect(try fixture.probe(holder, "fetch", "k").output == "absent")
    }

    @Test(arguments: SessionFixture.holders)
    func worksInAHardenedProcess(holder: Holder) throws {
        let fixture = try SessionFixture()
        #expect(try fixture.probe(holder, "put", "k", Self.key).output == "put")
        #expect(try fixture.probe(holder, "fetch", "k").output == Self.key)
        #expect(try fixture.probe(holder, "evict", "k").output == "evicted")
    }

    @Test(arguments: SessionFixture.holders)
    func keepsStoresApart(holder: Holder) throws {
        let fixture = try SessionFixture()
        let other = String(repeating: "ab", count: 16)
        try fixture.probe(holder, "put", "k", Self.key)
        #expect(try fixture.probe(holder, store: other, "fetch", "k").output == "absent")
        #expect(try fixture.probe(holder, store: other, "evict", "k").output == "evicted")
        #expect(try fixture.probe(holder, "fetch", "k").output == Self.key)
        try fixture.probe(holder, "evict", "k")
    }

    /// The one test that waits: the kernel counts whole seconds.
    @Test(arguments: SessionFixture.holders, [false, true])
    func letsGoOfAKeyInTime(holder: Holder, isShared: Bool) throws {
        let fixture = try SessionFixture(group: isShared ? getegid() : nil)
        try fixture.probe(holder, "put", "long", Self.otherKey, "600")
        try fixture.probe(holder, "put", "short", Self.key, "1")
        #expect(try fixture.eventually { try fixture.probe(holder, "fetch", "short").output == "absent" })
        #expect(try fixture.probe(holder, "fetch", "long").output == Self.otherKey)
        try fixture.probe(holder, "put", "short", Self.key)
        #expect(try fixture.probe(holder, "fetch", "short").output == Self.key)
        try fixture.probe(holder, "evict", "long", "short")
    }

    @Test(arguments: SessionFixture.holders)
    func refusesWhatIsNoKey(holder: Holder) throws {
        let fixture = try SessionFixture()
        for name in ["", "UPPER", "a/b", "a b", "../x", String(repeating: "a", count: 49)] {
            let expected = "error: a class key's name is not accepted"
            #expect(try fixture.probe(holder, "put", name, Self.key).output == expected)
            #expect(try fixture.probe(holder, "fetch", name).output == expected)
            #expect(try fixture.probe(holder, "evict", name).output == expected)
        }
        #expect(try fixture.probe(holder, "put", "k", "").output == "error: a class key of 0 bytes")
        let long = String(repeating: "00", count: 257)
        #expect(try fixture.probe(holder, "put", "k", long).output == "error: a class key of 257 bytes")
        #expect(try fixture.probe(holder, "put", "k", Self.key, "0").output == "error: a timeout of 0 seconds")
        #expect(throws: SessionError.badInput("a store identifier of 15 bytes")) {
            try SessionHolders.choose(store: [UInt8](repeating: 0, count: 15), directory: "/tmp", group: nil)
        }
    }

    @Test(.enabled(if: SessionFixture.hasKeyring, "no kernel keyring here"))
    func evictsFromBothWhicheverIsChosen() throws {
        let fixture = try SessionFixture()
        let forced = try fixture.probe(nil, environment: ["WAXWING_SESSION_HOLDER": "both"], "name").output
        #expect(forced == "error: WAXWING_SESSION_HOLDER is neither keyring nor agent")

        try fixture.probe(.agent, "put", "k", Self.key)
        #expect(try fixture.probe(nil, "fetch", "k").output == Self.key)
        #expect(try fixture.probe(.keyring, "fetch", "k").output == "absent")
        try fixture.probe(.keyring, "evict", "k")
        #expect(try fixture.probe(nil, "fetch", "k").output == "absent")

        try fixture.probe(.keyring, "put", "k", Self.key)
        #expect(try fixture.probe(.agent, "fetch", "k").output == "absent")
        try fixture.probe(.agent, "evict", "k")
        #expect(try fixture.probe(nil, "fetch", "k").output == "absent")

        try fixture.probe(.agent, "put", "k", Self.key)
        try fixture.probe(nil, "put", "k", Self.otherKey)
        #expect(try fixture.probe(.agent, "fetch", "k").output == "absent")
        #expect(try fixture.probe(nil, "fetch", "k").output == Self.otherKey)
        try fixture.probe(nil, "evict", "k")
    }

    @Test(arguments: SessionFixture.holders, [0o2777, 0o2771] as [UInt32])
    func refusesADirectoryThatIsOpenToOthers(holder: Holder, mode: UInt32) throws {
        let fixture = try SessionFixture(group: getegid())
        #expect(chmod(fixture.directory, mode) == 0)
        let expected = "error: \(fixture.directory): is open to others"
        #expect(try fixture.probe(holder, "put", "k", Self.key).output == expected)
        #expect(try fixture.probe(holder, "fetch", "k").output == expected)
    }

    @Test func closesWhatItRefuses() throws {
        let fixture = try SessionFixture(group: getegid())
        let place = try SessionPlace(storeIdentifier: fixture.store, directory: fixture.directory, group: getegid())
        let directory = try SessionDirectory(place)
        #expect(symlink("nowhere", fixture.path("link")) == 0)
        #expect(mkfifo(fixture.path("pipe"), 0o660) == 0)
        #expect(chmod(fixture.directory, 0o777) == 0)
        let before = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
        for _ in 0..<500 {
            #expect(throws: SessionError.unsafe(path: fixture.directory, reason: "is open to others")) {
                try SessionDirectory(place)
            }
            #expect(throws: SessionError.unsafe(path: fixture.path("pipe"), reason: "is no regular file")) {
                try SessionFile.open("pipe", in: directory, group: getegid())
            }
            #expect(throws: SessionError.unsafe(path: fixture.path("link"), reason: "is a symbolic link")) {
                try SessionFile.open("link", in: directory, group: getegid())
            }
        }
        // Other tests run meanwhile and have some descriptors of their own.
        #expect(try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count < before + 400)
    }
}
