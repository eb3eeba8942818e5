import Foundation
import Synchronization
import Testing

@testable import Simulator

/// Control groups of simulators that were killed are removed by the next one, and those of others are not.
@Suite struct MemoryGroupTests {
    /// The number of a process that is no more.
    private func deadProcess() throws -> pid_t {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/true")
        try process.run()
        process.waitUntilExit()
        return process.processIdentifier
    }

    @Test func whoseMakerIsGoneIsALeftover() throws {
        let dead = try deadProcess()
        #expect(MemoryGroup.isLeftover("waxwing-\(dead)-\(dead)"))
        for name in [
            "waxwing-\(getpid())-\(dead)", "waxwing-\(dead)", "waxwing-\(dead)-x", "waxwing-\(dead)-1-1", "waxwing-0-1", "waxwing--1-1",
            "other-\(dead)-\(dead)",
        ] { #expect(!MemoryGroup.isLeftover(name), "\(name)") }
    }

    @Test func leftoversAreRemoved() throws {
        let dead = try deadProcess()
        let paths: [String] = ["/sys/fs/cgroup/memory", "/sys/fs/cgroup"].map { "\($0)/waxwing-\(dead)-\(dead)" }
        let made = paths.filter { mkdir($0, 0o755) == 0 }
        MemoryGroup.removeLeftovers()
        for path in made { #expect(access(path, F_OK) != 0) }
    }

    /// A process that was just started is in the middle of execve(2) for a moment: what the one that started it has is not counted.
    @Test func onlyItsOwnMemoryIsCounted() throws {
        let ballast = [UInt8](repeating: 1, count: 64 << 20)
        // The moment is longer where other threads change what is mapped.
        let isOver = Mutex(false)
        for _ in 0..<4 {
            Thread.detachNewThread {
                while !isOver.withLock({ $0 }) {
                    munmap(mmap(nil, 1 << 24, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0), 1 << 24)
                }
            }
        }
        defer { isOver.withLock { $0 = true } }
        for _ in 0..<100 {
            let child = try ExtensionChild("/bin/cat")
            #expect(MemoryLimit.peak(of: child.process) < ballast.count)
            child.end()
        }
    }
}
