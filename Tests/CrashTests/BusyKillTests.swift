import CrashSupport
import Foundation
import TestSupport
import Testing

/// Several processes at work on one backend, killed at any time: between boundaries too, and with locks held.
@Suite struct BusyKillTests {
    private static let names = CrashScene.work.keys.sorted()
    private static let roundsBetweenChecks = 6

    @Test func killedAtAnyTimeWhileOthersWork() throws {
        var random = RepeatableRandom.announced()
        let prepared = try PreparedOperation(.idle)
        var granted: [CrashWorker.Grant] = []
        for _ in 0..<(TestAmount.isSlow ? 60 : 2) {
            var workers = try Self.names.map { try start($0, prepared) }
            for _ in 0..<Self.roundsBetweenChecks {
                let chosen = Int.random(in: workers.indices, using: &random)
                for _ in 0..<Int.random(in: 1...4, using: &random) { try read(workers[chosen], &granted) }
                // Any moment of what it does next.
                let moment = Clock.nanoseconds + Int64.random(in: 0..<3_000_000, using: &random)
                while Clock.nanoseconds < moment {}
                try note(workers[chosen].killNow(), &granted)
                workers[chosen] = try start(Self.names[chosen], prepared)
            }
            for worker in workers { try note(worker.killNow(), &granted) }
            let scene = CrashScene(prepared.folder) { line in
                if let grant = CrashWorker.Grant(line.split(separator: " ").map(String.init)) { granted.append(grant) }
            }
            try scene.verifyWhole()
            try Aftermath.checkWhole(scene)
            try CrashScene.work["lease"]?(scene)
            try Aftermath.checkDisjoint(granted)
        }
        #expect(granted.count > 3)
    }

    private func start(_ name: String, _ prepared: PreparedOperation) throws -> CrashWorker {
        try CrashWorker([prepared.folder, name, "busy", "0"])
    }

    private func read(_ worker: CrashWorker, _ granted: inout [CrashWorker.Grant]) throws {
        guard let line = worker.line() else { throw CrashFailure("a worker ended") }
        try note([line], &granted)
    }

    private func note(_ lines: [String], _ granted: inout [CrashWorker.Grant]) throws {
        for line in lines {
            if let grant = CrashWorker.Grant(line.split(separator: " ").map(String.init)) { granted.append(grant) }
            guard !line.hasPrefix("failed") else { throw CrashFailure(line) }
        }
    }

    private enum Clock {
        static var nanoseconds: Int64 {
            var time = timespec()
            clock_gettime(CLOCK_MONOTONIC, &time)
            return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        }
    }
}
