import Foundation
import Glibc
import TestSupport
import Testing

@testable import KeyStore

/// An eviction reaches keys whose numbers nobody wrote down, costs the user nothing for good, and waits for nobody for long.
@Suite(.enabled(if: SessionFixture.isRoot && SessionFixture.hasKeyring, "not root, or no kernel keyring here"))
struct SessionEvictionTests {
    private let key = SessionHolderTests.key

    private func number(_ fixture: SessionFixture) throws -> String {
        try String(contentsOfFile: fixture.path("session-k.id"), encoding: .utf8).trimmingCharacters(in: .newlines)
    }

    /// A copy of the folder put back has another number, or none.
    @Test(arguments: [SessionFixture.member, SessionFixture.otherMember, nil], [nil, "0000000000\n"])
    func findsKeysWhoseNumberIsLost(evictor: String?, content: String?) throws {
        let fixture = try SessionFixture(group: SessionFixture.groupNumber, owner: 61001)
        try fixture.probe(.keyring, as: SessionFixture.member, "put", "k", key)
        let kept = try number(fixture)
        if let content {
            try content.write(toFile: fixture.path("session-k.id"), atomically: false, encoding: .utf8)
        } else {
            #expect(unlink(fixture.path("session-k.id")) == 0)
        }
        #expect(try fixture.probe(nil, as: evictor, "remaining", "k").output == "k")
        #expect(try fixture.probe(nil, as: evictor, "listed").output == "k")
        #expect(try fixture.probe(nil, as: evictor, "evict", "k").output == "evicted")
        #expect(try fixture.probe(nil, as: SessionFixture.member, "peek", kept).output == "errno \(ENOKEY)")
        #expect(try fixture.probe(nil, as: evictor, "remaining", "k").output == "")
    }

    /// The same for the one that takes the place of a key whose number is lost.
    @Test func replacesAKeyWhoseNumberIsLost() throws {
        let fixture = try SessionFixture(group: SessionFixture.groupNumber, owner: 61001)
        try fixture.probe(.keyring, as: SessionFixture.member, "put", "k", key)
        let kept = try number(fixture)
        #expect(unlink(fixture.path("session-k.id")) == 0)
        try fixture.probe(.keyring, as: SessionFixture.otherMember, "put", "k", SessionHolderTests.otherKey)
        #expect(try fixture.probe(nil, as: SessionFixture.member, "peek", kept).output == "errno \(ENOKEY)")
        #expect(try fixture.probe(nil, as: SessionFixture.member, "fetch", "k").output == SessionHolderTests.otherKey)
        try fixture.probe(nil, as: SessionFixture.member, "evict", "k")
    }

    /// What is listed under the store's name and is not of its group is nobody's key.
    @Test func leavesAForgedKeyAlone() throws {
        let fixture = try SessionFixture(group: SessionFixture.groupNumber, owner: 61001)
        let description = "waxwing:\(fixture.storeText):k"
        let forged = try fixture.probe(.keyring, as: "61003:61060", "forge", description, "3f3f0b0b").output
        #expect(try fixture.probe(nil, as: SessionFixture.member, "evict", "k").output == "evicted")
        #expect(try fixture.probe(nil, as: SessionFixture.member, "remaining", "k").output == "")
        #expect(try fixture.probe(nil, as: "61003:61060", "peek", forged).output.utf8.count == 62)
    }

    private func bytesOfKeys(_ user: UInt32) throws -> Int? {
        let lines = try KernelFile.text("/proc/key-users").split(separator: "\n").map { $0.split(separator: " ") }
        return lines.first { $0.first == "\(user):" }?.last?.split(separator: "/").first.flatMap { Int($0) }
    }

    /// The kernel counts keys and bytes of each user; an unlock and a lock, and a look at what is there, leave no trace in it.
    @Test(arguments: [false, true]) func givesBackTheQuota(isShared: Bool) throws {
        let number = UInt32.random(in: 800_000..<900_000)
        let fixture = try SessionFixture(group: isShared ? SessionFixture.groupNumber : nil, owner: number)
        let user = "\(number):\(number):61050"
        // So that the user has the keyrings that stay.
        try fixture.probe(nil, as: user, "put", "stays", key)
        #expect(try fixture.probe(nil, as: user, "fetch", "stays").output == key)
        let before = try #require(try bytesOfKeys(number))
        for _ in 0..<8 {
            try fixture.probe(nil, as: user, "put", "k", key)
            try fixture.probe(nil, as: user, "put", "k", SessionHolderTests.otherKey)
            #expect(try fixture.probe(nil, as: user, "evict", "k").output == "evicted")
            #expect(try fixture.probe(nil, as: user, "name").output == "kernel keyring")
        }
        // What goes with its thread, the kernel lets go of in its own time.
        #expect(try fixture.eventually { (try bytesOfKeys(number) ?? .max) <= before }, "\(before)")
        try fixture.probe(nil, as: user, "evict", "stays")
    }

    /// A process that is killed while it tries whether the keyring takes keys leaves none: what is tried is in no user's keyring.
    @Test func whatIsTriedGoesWithTheThread() throws {
        let user = UInt32.random(in: 800_000..<900_000)
        let fixture = try SessionFixture(owner: user)
        #expect(try fixture.probe(nil, as: "\(user):\(user)", "name").output == "kernel keyring")
        // Of this user: other tests try the keyring meanwhile.
        let left = try KernelFile.text("/proc/keys").split(separator: "\n").filter {
            $0.contains("waxwing:tried") && $0.split(separator: " ").dropFirst(5).first == "\(user)"
        }
        #expect(left.isEmpty)
        #expect(KeyringHolder.takesKeys())
        #expect(try KernelKey.find("waxwing:tried") == nil)
    }

    /// Who was stopped while he held a number's file keeps no eviction waiting.
    @Test func doesNotWaitForAnotherWriter() throws {
        let fixture = try SessionFixture(group: SessionFixture.groupNumber, owner: 61001)
        try fixture.probe(.keyring, as: SessionFixture.member, "put", "k", key)
        let kept = try number(fixture)
        let descriptor = open(fixture.path("session-k.id"), O_RDWR)
        defer { close(descriptor) }
        #expect(flock(descriptor, LOCK_EX) == 0)
        #expect(try fixture.probe(nil, as: SessionFixture.otherMember, "evict", "k").output == "evicted")
        #expect(try fixture.probe(nil, as: SessionFixture.member, "peek", kept).output == "errno \(ENOKEY)")
        let put = try fixture.probe(.keyring, as: SessionFixture.otherMember, "put", "k", key)
        #expect(put.output == "error: flock: \(String(cString: strerror(EWOULDBLOCK)))")
    }

    @Test func waitsForAStoppedAgentOnce() throws {
        let fixture = try SessionFixture()
        try fixture.probe(.agent, "put", "a", key)
        let agent = try #require(try fixture.agents().first)
        #expect(kill(agent, SIGSTOP) == 0)
        let clock = ContinuousClock()
        let start = clock.now
        let result = try fixture.probe(nil, "evict", "a", "b", "c", "d", "e", "f", "g", "h")
        #expect(result.output == "error: the session agent does not answer")
        #expect(clock.now - start < .seconds(10))
        #expect(kill(agent, SIGCONT) == 0)
        #expect(try fixture.probe(nil, "evict", "a").output == "evicted")
    }
}
