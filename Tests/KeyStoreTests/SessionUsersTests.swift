import Foundation
import Glibc
import Testing

@testable import KeyStore

/// Several users, which takes root to become them.
@Suite(.enabled(if: SessionFixture.isRoot, "not root: other users cannot be tried"))
struct SessionUsersTests {
    typealias Holder = SessionFixture.Holder
    private let key = SessionHolderTests.key
    private let otherKey = SessionHolderTests.otherKey

    @Test(arguments: SessionFixture.holders)
    func keepsAnOwnStoreFromOtherUsers(holder: Holder) throws {
        let fixture = try SessionFixture(owner: 61001)
        let member = SessionFixture.member
        #expect(try fixture.probe(holder, as: member, "put", "k", key).output == "put")
        #expect(try fixture.probe(holder, as: member, "fetch", "k").output == key)
        for other in [SessionFixture.otherMember, SessionFixture.outsider, nil] {
            #expect(try fixture.probe(holder, as: other, "fetch", "k").output != key)
            try fixture.probe(holder, as: other, "evict", "k")
        }
        #expect(try fixture.probe(holder, as: member, "fetch", "k").output == key)
        #expect(try fixture.probe(holder, as: member, "evict", "k").output == "evicted")
        #expect(try fixture.probe(holder, as: member, "fetch", "k").output == "absent")
    }

    @Test(arguments: SessionFixture.holders)
    func sharesAGroupsStoreWithItsMembers(holder: Holder) throws {
        let fixture = try SessionFixture(group: SessionFixture.groupNumber, owner: 61001)
        let (one, two) = (SessionFixture.member, SessionFixture.otherMember)
        let everyone: [String?] = [one, two, nil]  // nil is root, who is in no group of these
        for writer in everyone {
            #expect(try fixture.probe(holder, as: writer, "put", "k", key).output == "put")
            for reader in everyone { #expect(try fixture.probe(holder, as: reader, "fetch", "k").output == key) }
            #expect(try fixture.probe(holder, as: two, "put", "k", otherKey).output == "put")
            for reader in everyone { #expect(try fixture.probe(holder, as: reader, "fetch", "k").output == otherKey) }
            for remover in everyone {
                try fixture.probe(holder, as: writer, "put", "k", key)
                #expect(try fixture.probe(holder, as: remover, "evict", "k").output == "evicted")
                for reader in everyone {
                    #expect(try fixture.probe(holder, as: reader, "fetch", "k").output == "absent")
                }
            }
        }
    }

    @Test(arguments: SessionFixture.holders)
    func keepsAGroupsStoreFromOthers(holder: Holder) throws {
        let fixture = try SessionFixture(group: SessionFixture.groupNumber, owner: 61001)
        try fixture.probe(holder, as: SessionFixture.member, "put", "k", key)
        for command in [["fetch", "k"], ["put", "k", otherKey], ["evict", "k"]] {
            let result =
                command.count == 3
                ? try fixture.probe(holder, as: SessionFixture.outsider, command[0], command[1], command[2])
                : try fixture.probe(holder, as: SessionFixture.outsider, command[0], command[1])
            #expect(result.status == 1)
            #expect(result.output.hasPrefix("error: "))
        }
        #expect(try fixture.probe(holder, as: SessionFixture.otherMember, "fetch", "k").output == key)
        try fixture.probe(holder, as: SessionFixture.member, "evict", "k")
    }

    /// A user whose quota of kernel keys is used up, as where the keyring is forbidden, gets the agent; a process that
    /// could use the keyring finds the key there nevertheless.
    @Test(.enabled(if: SessionFixture.hasKeyring, "no kernel keyring here"))
    func fallsBackToTheAgent() throws {
        let fixture = try SessionFixture(owner: 61005)
        let (user, full) = ("61005:61005", ["--fill-keyring"])
        #expect(try fixture.probe(nil, as: user, "name").output == "kernel keyring")
        #expect(try fixture.probe(nil, as: user, options: full, "name").output == "agent")
        #expect(try fixture.probe(.keyring, as: user, options: full, "put", "k", key).status == 1)
        #expect(try fixture.probe(nil, as: user, options: full, "put", "k", key).output == "put")
        #expect(try fixture.probe(nil, as: user, "fetch", "k").output == key)
        #expect(try fixture.probe(nil, as: user, options: full, "fetch", "k").output == key)
        #expect(try fixture.probe(nil, as: user, "evict", "k").output == "evicted")
        #expect(try fixture.probe(nil, as: user, options: full, "fetch", "k").output == "absent")
    }

    /// Whether a key can be put decides neither whether one is read nor whether it is evicted.
    @Test(
        .enabled(if: SessionFixture.hasKeyring, "no kernel keyring here"), arguments: [false, true], ["evict", "put"])
    func readsAndEvictsWhereNoKeyCanBePut(isShared: Bool, command: String) throws {
        // Another user each time: the kernel lets go of a user's quota in its own time.
        let number = UInt32.random(in: 800_000..<900_000)
        let fixture = try SessionFixture(group: isShared ? SessionFixture.groupNumber : nil, owner: number)
        let user = "\(number):\(number):61050"
        let other = isShared ? "\(number + 100_000):\(number):61050" : user
        let full = ["--fill-keyring"]
        #expect(try fixture.probe(.keyring, as: user, "put", "k", key).output == "put")
        #expect(try fixture.probe(nil, as: other, options: full, "name").output == "agent")
        #expect(try fixture.probe(nil, as: other, options: full, "fetch", "k").output == key)
        if command == "evict" {
            #expect(try fixture.probe(nil, as: other, options: full, "evict", "k").output == "evicted")
            #expect(try fixture.probe(nil, as: user, "fetch", "k").output == "absent")
        } else {
            #expect(try fixture.probe(nil, as: other, options: full, "put", "k", otherKey).output == "put")
            #expect(try fixture.probe(nil, as: user, "fetch", "k").output == otherKey)
        }
        #expect(try fixture.probe(.keyring, as: user, "fetch", "k").output == "absent")
        try fixture.probe(nil, as: user, "evict", "k")
    }

    /// With the files' modes out of the way it is the agent alone that refuses.
    @Test func agentAsksTheKernelWhoIsThere() throws {
        let fixture = try SessionFixture(group: SessionFixture.groupNumber, owner: 61001)
        try fixture.probe(.agent, as: SessionFixture.member, "put", "k", key)
        #expect(chmod(fixture.directory, 0o2777) == 0 && chmod(fixture.path("agent.sock"), 0o666) == 0)
        func knock(_ identity: String) throws -> String {
            let description = "waxwing:\(fixture.storeText):k"
            return try fixture.probe(.agent, as: identity, "knock", fixture.path("agent.sock"), description).output
        }
        #expect(try knock(SessionFixture.outsider) == "0102")
        #expect(try knock("61003:61003:61049:61051") == "0102")
        #expect(try knock("61003:61050") == "0100" + key)
        #expect(try knock("61003:61003:61049:61050") == "0100" + key)
        #expect(try knock(SessionFixture.member) == "0100" + key)
        #expect(chmod(fixture.directory, 0o2770) == 0)
        try fixture.probe(.agent, as: SessionFixture.member, "evict", "k")
    }

    @Test func agentOfAnOwnStoreServesItsUserAlone() throws {
        let fixture = try SessionFixture(owner: 61001)
        try fixture.probe(.agent, as: SessionFixture.member, "put", "k", key)
        #expect(chmod(fixture.directory, 0o777) == 0 && chmod(fixture.path("agent.sock"), 0o666) == 0)
        let description = "waxwing:\(fixture.storeText):k"
        for identity in [SessionFixture.otherMember, "61003:61001"] {
            let reply = try fixture.probe(.agent, as: identity, "knock", fixture.path("agent.sock"), description)
            #expect(reply.output == "0102")
        }
        #expect(chmod(fixture.directory, 0o700) == 0)
        #expect(try fixture.probe(.agent, as: SessionFixture.member, "fetch", "k").output == key)
        try fixture.probe(.agent, as: SessionFixture.member, "evict", "k")
    }

    /// A socket of another user's, were one to get there, is not asked for keys.
    @Test func clientAsksTheKernelWhoListens() throws {
        let fixture = try SessionFixture(owner: 61001)
        try fixture.probe(.agent, as: SessionFixture.member, "put", "k", key)
        let own = try SessionPlace(storeIdentifier: fixture.store, directory: fixture.directory, group: nil)
        let shared = try SessionPlace(storeIdentifier: fixture.store, directory: fixture.directory, group: 61001)
        let directory = try SessionDirectory(shared)
        #expect(throws: SessionError.notAdmitted) { try AgentSocket.connect(directory, own) }
        #expect(try AgentSocket.connect(directory, shared) != nil)
        try fixture.probe(.agent, as: SessionFixture.member, "evict", "k")
    }

    /// The file's modes are the final ones whatever the umask, so that a member whose umask is 077 shares nevertheless.
    @Test(arguments: SessionFixture.holders)
    func givesItsFilesToTheGroup(holder: Holder) throws {
        let fixture = try SessionFixture(group: SessionFixture.groupNumber, owner: 61001)
        try fixture.probe(holder, as: SessionFixture.member, options: ["--umask-077"], "put", "k", key)
        for name in holder == .agent ? ["agent.sock", "agent.lock"] : ["session-k.id"] {
            var status = stat()
            #expect(lstat(fixture.path(name), &status) == 0)
            #expect(status.st_mode & 0o7777 == 0o660)
            #expect(status.st_gid == SessionFixture.groupNumber)
        }
        #expect(try fixture.probe(holder, as: SessionFixture.otherMember, "fetch", "k").output == key)
        try fixture.probe(holder, as: SessionFixture.member, "evict", "k")
    }

    /// A number left over from before a restart may come to name a key that an outsider made with our description: one
    /// that everybody may read, or one of a group that the reader happens to be in too.
    @Test(.enabled(if: SessionFixture.hasKeyring, "no kernel keyring here"), arguments: ["3f3f0b0b", "1b0b0b00"])
    func takesNoKeyThatIsNotOfTheGroup(permissions: String) throws {
        let fixture = try SessionFixture(group: SessionFixture.groupNumber, owner: 61001)
        let description = "waxwing:\(fixture.storeText):k"
        try fixture.probe(.keyring, as: SessionFixture.member, "put", "k", key, "60")
        let forged = try fixture.probe(.keyring, as: "61003:61060", "forge", description, permissions).output
        let digits = String(repeating: "0", count: 10 - forged.utf8.count) + forged + "\n"
        let descriptor = open(fixture.path("session-k.id"), O_WRONLY)
        #expect(pwrite(descriptor, digits, 11, 0) == 11)
        close(descriptor)
        let reader = "61002:61002:61050:61060"
        #expect(try fixture.probe(.keyring, as: reader, "peek", forged).output.utf8.count == 62, "it can be read")
        for reader in [SessionFixture.member, reader, nil] {
            #expect(try fixture.probe(.keyring, as: reader, "fetch", "k").output == "absent")
        }
    }

    /// Who noted the number of a key does not read it any more once it has been replaced or evicted.
    @Test(.enabled(if: SessionFixture.hasKeyring, "no kernel keyring here"))
    func leavesNoReplacedKeyBehind() throws {
        let fixture = try SessionFixture(group: SessionFixture.groupNumber, owner: 61001)
        func number() throws -> String {
            let text = try String(contentsOfFile: fixture.path("session-k.id"), encoding: .utf8)
            return text.trimmingCharacters(in: .newlines)
        }
        let (one, two) = (SessionFixture.member, SessionFixture.otherMember)
        try fixture.probe(.keyring, as: one, "put", "k", key)
        let first = try number()
        #expect(try fixture.probe(.keyring, as: two, "peek", first).output == key)
        try fixture.probe(.keyring, as: two, "put", "k", otherKey)
        let second = try number()
        #expect(first != second)
        #expect(try fixture.probe(.keyring, as: one, "peek", first).output == "errno \(ENOKEY)")
        #expect(try fixture.probe(.keyring, as: one, "peek", second).output == otherKey)
        try fixture.probe(.keyring, as: one, "evict", "k")
        #expect(try fixture.probe(.keyring, as: two, "peek", second).output == "errno \(ENOKEY)")
    }

    @Test(
        .enabled(if: SessionFixture.hasKeyring, "no kernel keyring here"), arguments: ["", "x", "0000000000\n", "999"])
    func takesADamagedNumberForNone(content: String) throws {
        let fixture = try SessionFixture(group: SessionFixture.groupNumber, owner: 61001)
        try fixture.probe(.keyring, as: SessionFixture.member, "put", "k", key, "60")
        let descriptor = open(fixture.path("session-k.id"), O_WRONLY | O_TRUNC)
        #expect(write(descriptor, content, content.utf8.count) == content.utf8.count)
        close(descriptor)
        #expect(try fixture.probe(.keyring, as: SessionFixture.member, "fetch", "k").output == "absent")
        try fixture.probe(.keyring, as: SessionFixture.member, "put", "k", otherKey)
        #expect(try fixture.probe(.keyring, as: SessionFixture.otherMember, "fetch", "k").output == otherKey)
        try fixture.probe(.keyring, as: SessionFixture.member, "evict", "k")
    }

    @Test(.enabled(if: SessionFixture.hasKeyring, "no kernel keyring here"))
    func refusesANumberFileThatIsALink() throws {
        let fixture = try SessionFixture(group: SessionFixture.groupNumber, owner: 61001)
        #expect(symlink("/etc/hostname", fixture.path("session-k.id")) == 0)
        let result = try fixture.probe(.keyring, as: SessionFixture.member, "put", "k", key)
        #expect(result.output == "error: \(fixture.path("session-k.id")): is a symbolic link")
    }
}
