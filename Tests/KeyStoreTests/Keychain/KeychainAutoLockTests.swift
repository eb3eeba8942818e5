import EnvelopeFormat
import Glibc
import Testing

@testable import KeyStore

/// A phone that locks itself, by the clock of the kernel or of the agent: real processes, both holders.
@Suite final class KeychainAutoLockTests {
    typealias Holder = SessionFixture.Holder

    private let root: String
    private var directory: String { root + "/store" }
    private var keyFile: String { root + "/key" }

    init() throws { root = try Scene.temporaryDirectory() }

    deinit { Scene.remove(root) }

    /// The second test of the project that waits for a clock: the kernel counts whole seconds.
    @Test(arguments: SessionFixture.holders) func itLocksItselfForEveryProcess(holder: Holder) throws {
        let app = try KeychainProcess(directory, holder)
        #expect(try app.ask("create", "-", keyFile) == "ok")
        #expect(try app.ask("add", "mail", "anna", "first", "when-unlocked") == "ok")
        #expect(try app.ask("add", "mail", "bert", "second", "after-first-unlock") == "ok")
        let other = try KeychainProcess(directory, holder)
        #expect(try other.ask("get", "mail", "anna") == "ok first")
        #expect(try app.ask("left") == "ok none")
        #expect(try app.ask("unlock", keyFile, "2") == "ok")
        #expect(try ["ok 2", "ok 1", "ok 0"].contains(other.ask("left")))
        let fixture = try SessionFixture()
        #expect(try fixture.eventually { try other.ask("state") == "ok locked" })
        for process in [app, other] {
            #expect(try process.status("get", "mail", "anna") == -25308)
            #expect(try process.ask("get", "mail", "bert") == "ok second")
            #expect(try process.status("add", "mail", "carl", "x", "when-unlocked") == -25308)
        }
        #expect(try fixture.eventually { try other.ask("left") == "ok none" })
        // Unlocked without a time it stays so.
        #expect(try app.ask("unlock", keyFile) == "ok")
        #expect(try other.ask("left") == "ok none" && other.ask("get", "mail", "anna") == "ok first")
        #expect(try app.ask("restart") == "ok")
    }

    @Test(arguments: SessionFixture.holders) func theTimeLeftIsToldAndTakenBack(holder: Holder) throws {
        let app = try KeychainProcess(directory, holder)
        let other = try KeychainProcess(directory, holder)
        #expect(try app.ask("create", "-", keyFile) == "ok")
        #expect(try app.ask("unlock", keyFile, "2592000") == "ok")
        let left = try #require(Int(other.ask("left").dropFirst(3)))
        #expect((2_591_900...2_592_000).contains(left))
        #expect(try app.ask("unlock", keyFile, "600") == "ok")
        #expect(try #require(Int(other.ask("left").dropFirst(3))) <= 600)
        #expect(try other.ask("lock") == "ok" && app.ask("left") == "ok none" && app.ask("state") == "ok locked")
        #expect(try app.ask("unlock", keyFile, "600") == "ok" && other.ask("state") == "ok unlocked")
        #expect(try app.ask("unlock", keyFile) == "ok" && other.ask("left") == "ok none")
        #expect(try app.ask("restart") == "ok")
    }

    /// Nothing is left to keep once all was locked away: an agent goes, whatever time was set.
    @Test func anAgentDoesNotStayForTheTimeAlone() throws {
        let app = try KeychainProcess(directory, .agent)
        #expect(try app.ask("create", "-", keyFile) == "ok")
        #expect(try app.ask("unlock", keyFile, "600") == "ok")
        #expect(try SessionFixture.agents(of: directory).count == 1)
        #expect(try app.ask("restart") == "ok")
        #expect(try SessionFixture().eventually { try SessionFixture.agents(of: directory).isEmpty })
    }

    @Test(arguments: [0, -1, 2_592_001]) func nonsenseIsRefusedAndUnlocksNothing(seconds: Int) throws {
        let (scene, _) = try Scene.keychain()
        try scene.bring(.locked)
        let error = failure {
            try scene.store.unlock(.keyFile(path: scene.keyFile), timeout: seconds, now: scene.now)
        }
        #expect(
            error
                == KeyStoreError(
                    .badInput, "timeout", "\(seconds) seconds where 1 to 2592000 (30 days) are accepted"))
        #expect(try scene.store.lockState == .locked)
    }

    @Test func aStoreThatUnlocksByItselfIsRefusedOne() throws {
        let scene = try Scene(.sealer)
        let error = failure { try scene.store.unlock(nil, timeout: 60, now: scene.now) }
        #expect(error?.kind == .refused && error?.subject == scene.directory)
        #expect(error?.reason == "it reads its key file at every use, so that no time locks it")
        #expect(try scene.store.secondsUntilLock == nil)
    }

    /// A passcode that is set while the time runs is locked away with the rest.
    @Test func aPasscodeSetMeanwhileKeepsTheTime() throws {
        let (scene, _) = try Scene.keychain()
        try scene.store.removePasscode(.keyFile(path: scene.keyFile), keyFile: scene.keyFile, now: 1)
        try scene.store.unlock(.keyFile(path: scene.keyFile), timeout: 2, now: 2)
        try scene.store.setPasscode(
            try .of("4711"), argon2id: try Argon2idParameters(passes: 1, memoryMiB: 8),
            current: .keyFile(path: scene.keyFile), now: 3)
        let fixture = try SessionFixture()
        #expect(
            try fixture.eventually { try scene.classKey(.whenPasscodeSetThisDeviceOnly) == nil })
        #expect(try fixture.eventually { try scene.store.lockState == .locked })
    }

    @Test func aRehearsedTimeIsSeenInsideAndSetsNothing() throws {
        let (scene, _) = try Scene.keychain()
        let inside = try scene.store.rehearse { store in
            try store.unlock(.keyFile(path: scene.keyFile), timeout: 60, now: scene.now)
            let left = try store.secondsUntilLock
            try store.lock(restart: false, now: scene.now)
            return [left, try store.secondsUntilLock]
        }
        #expect(inside == [60, nil])
        #expect(try scene.store.secondsUntilLock == nil && scene.store.lockState == .unlocked)
    }
}
