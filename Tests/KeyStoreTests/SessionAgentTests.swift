import Foundation
import Glibc
import Synchronization
import Testing

@testable import KeyStore

/// An agent lets nobody but root look at its descriptors, by which these tests find it.
@Suite(.enabled(if: SessionFixture.isRoot, "not root: an agent cannot be looked at"))
struct SessionAgentTests {
    private let key = SessionHolderTests.key

    @Test func goesWithTheLastKey() throws {
        let fixture = try SessionFixture()
        try fixture.probe(.agent, "put", "a", key)
        try fixture.probe(.agent, "put", "b", key)
        #expect(try fixture.agents().count == 1)
        #expect(fixture.exists("agent.sock"))
        try fixture.probe(.agent, "evict", "a")
        #expect(try fixture.agents().count == 1)
        try fixture.probe(.agent, "evict", "b")
        #expect(try fixture.eventually { try fixture.agents().isEmpty && !fixture.exists("agent.sock") })
    }

    @Test func goesWithTheStore() throws {
        let fixture = try SessionFixture()
        try fixture.probe(.agent, "put", "a", key)
        #expect(try fixture.agents().count == 1)
        try FileManager.default.removeItem(atPath: fixture.directory)
        #expect(try fixture.eventually { try fixture.agents().isEmpty })
    }

    @Test(arguments: [SIGKILL, SIGTERM]) func leavesAStaleSocketThatIsReplaced(signal: Int32) throws {
        let fixture = try SessionFixture()
        try fixture.probe(.agent, "put", "a", key)
        let agent = try #require(try fixture.agents().first)
        #expect(kill(agent, signal) == 0)
        #expect(try fixture.eventually { try fixture.agents().isEmpty })
        #expect(fixture.exists("agent.sock"))
        #expect(try fixture.probe(.agent, "fetch", "a").output == "absent")
        #expect(try fixture.probe(.agent, "evict", "a").output == "evicted")
        #expect(try fixture.probe(.agent, "put", "a", key).output == "put")
        #expect(try fixture.probe(.agent, "fetch", "a").output == key)
        try fixture.probe(.agent, "evict", "a")
    }

    @Test func isOneHoweverManyUnlockAtOnce() throws {
        let fixture = try SessionFixture()
        // Every process is started first and spins until the same moment.
        let moment = String(Int(Date().timeIntervalSince1970 * 1000) + 300)
        let key = key
        let outputs = Mutex<[String]>([])
        let isDone = DispatchSemaphore(value: 0)
        for number in 0..<8 {
            Thread.detachNewThread {
                let result = try? fixture.probe(.agent, options: ["--at", moment], "put", "k\(number)", key)
                outputs.withLock { $0.append(result?.output ?? "not run") }
                isDone.signal()
            }
        }
        for _ in 0..<8 { isDone.wait() }
        #expect(outputs.withLock { $0 } == Array(repeating: "put", count: 8))
        #expect(try fixture.agents().count == 1)
        for number in 0..<8 { #expect(try fixture.probe(.agent, "fetch", "k\(number)").output == key) }
        try fixture.probe(.agent, "evict", "k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7")
        #expect(try fixture.eventually { try fixture.agents().isEmpty })
    }

    @Test func isNotStartedWhileAnotherHoldsTheLock() throws {
        let fixture = try SessionFixture()
        let place = try SessionPlace(storeIdentifier: fixture.store, directory: fixture.directory, group: nil)
        let directory = try SessionDirectory(place)
        do {
            let lock = try SessionFile.open(AgentLauncher.lockFileName, in: directory, group: nil)
            #expect(try lock.tryLock())
            #expect(try !AgentLauncher.start(place, directory))
        }
        #expect(throws: SessionError.noAgentProgram) { try AgentLauncher.start(place, directory) }
        #expect(!fixture.exists("agent.sock"))
    }

    /// Clients that say nothing, nonsense, too much, or hang up at once.
    @Test func standsClientsThatMisbehave() throws {
        let fixture = try SessionFixture()
        try fixture.probe(.agent, "put", "a", key)
        let place = try SessionPlace(storeIdentifier: fixture.store, directory: fixture.directory, group: nil)
        let directory = try SessionDirectory(place)
        var silent: [AgentSocket] = []
        for _ in 0..<80 { silent.append(try #require(try AgentSocket.connect(directory, place))) }
        #expect(try fixture.probe(.agent, "fetch", "a").output == key)
        let agent = try #require(try fixture.agents().first)
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(agent)/fd")
        #expect(descriptors.count <= 7 + 32 + 1, "of the silent ones it keeps 32 at most")

        let nonsense: [[UInt8]] = [
            [0], [1], [2, 102, 1, 97], [1, 0], [1, 102], [1, 102, 0], [1, 102, 200, 97], [1, 102, 1, 97, 1],
            [1, 112], [1, 112, 0, 0, 0, 0], [1, 112, 0, 0, 0, 0, 1, 97], [1, 101, 3, 97], [1, 102, 1, 255],
            [1, 112, 0, 0, 0, 0, 1, 97] + [UInt8](repeating: 7, count: 257), [UInt8](repeating: 1, count: 1024),
        ]
        for message in nonsense {
            let socket = try #require(try AgentSocket.connect(directory, place))
            var bytes = message
            #expect(socket.send(AgentMessage(try GuardedBytes(consuming: &bytes))))
            let reply = try #require(try socket.receive()?.reply())
            #expect(reply.status == .malformed, "\(message)")
            #expect(reply.key == nil)
        }
        let long = try #require(try AgentSocket.connect(directory, place))
        #expect(long.send(AgentMessage(try GuardedBytes(randomCount: 20_000))))
        #expect(try long.receive() == nil)
        for _ in 0..<50 { _ = try AgentSocket.connect(directory, place) }
        #expect(try fixture.probe(.agent, "fetch", "a").output == key)
        #expect(try fixture.agents().count == 1)
        silent.removeAll()
        try fixture.probe(.agent, "evict", "a")
    }

    @Test func isFullAfter64Keys() throws {
        let fixture = try SessionFixture()
        try fixture.probe(.agent, "put", "k0", key)
        let holder = AgentHolder(
            place: try SessionPlace(storeIdentifier: fixture.store, directory: fixture.directory, group: nil))
        let bytes = try GuardedBytes(randomCount: 32)
        for number in 1..<64 { try holder.put(bytes, named: "k\(number)") }
        #expect(throws: SessionError.full) { try holder.put(bytes, named: "k64") }
        try holder.put(bytes, named: "k63")
        try holder.evict((0..<64).map { "k\($0)" })
    }

    @Test func keepsKeysOutOfSight() throws {
        let fixture = try SessionFixture()
        try fixture.probe(.agent, environment: ["SOMETHING": "secret"], "put", "a", key)
        let agent = try #require(try fixture.agents().first)
        func read(_ name: String) -> String {
            String(decoding: FileManager.default.contents(atPath: "/proc/\(agent)/\(name)") ?? Data(), as: UTF8.self)
        }
        #expect(read("cmdline") == "/proc/self/exe\0session-agent\0")
        #expect(read("environ") == "SWIFT_BACKTRACE=enable=no\0")
        let core = try #require(read("limits").split(separator: "\n").first { $0.hasPrefix("Max core file size") })
        #expect(core.split(separator: " ").dropFirst(4).prefix(2) == ["0", "0"])
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(agent)/cwd") == "/")
        // Standard ones, listener, lock, directory, watch; the last client's goes a moment after its answer.
        let isBare = try fixture.eventually {
            let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/\(agent)/fd")
            return Set(names) == Set((0...6).map { String($0) })
        }
        #expect(isBare)
        try fixture.probe(.agent, "evict", "a")
    }

    @Test func needsAProgramToStart() throws {
        let fixture = try SessionFixture()
        let holder = AgentHolder(
            place: try SessionPlace(storeIdentifier: fixture.store, directory: fixture.directory, group: nil))
        let bytes = try GuardedBytes(randomCount: 32)
        #expect(throws: SessionError.noAgentProgram) { try holder.put(bytes, named: "a") }
        #expect(try holder.fetch("a") == nil)
    }
}
