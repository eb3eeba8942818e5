import Foundation
import Testing

@testable import OpenerNSE

/// `kill -9` at every write of the queue: nothing that waits is lost, and nothing is shown more than twice.
@Suite struct QueueKillTests {
    /// What a worker said until it ended.
    private func lines(of folder: String, _ fault: String, _ number: Int) throws -> [String] {
        let process = Process()
        process.executableURL = try Self.worker()
        process.arguments = [folder, fault, String(number)]
        process.environment = ["SWIFT_BACKTRACE": "enable=no"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        try output.fileHandleForWriting.close()
        let data = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    private static func worker() throws -> URL {
        let folder = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let places =
            Bundle.allBundles.map { $0.bundleURL.deletingLastPathComponent() } + [
                URL(fileURLWithPath: folder).deletingLastPathComponent()
            ]
        let found = places.map { $0.appendingPathComponent("queue-worker") }.first {
            FileManager.default.isExecutableFile(atPath: $0.path)
        }
        return try #require(found, "queue-worker is not built")
    }

    private func named(_ word: String, in lines: [String]) -> [String] {
        lines.compactMap { $0.hasPrefix(word + " ") ? String($0.dropFirst(word.count + 1)) : nil }
    }

    @Test func nothingIsLostAndNothingComesThrice() throws {
        let whole = try TemporaryContainer()
        let said = try lines(of: whole.path + "/queue", "count", 0)
        let count = try #require(named("passed", in: said).first.flatMap(Int.init))
        #expect(count > 20 && said.contains("drained"))
        #expect(named("shown", in: said) == ["c", "a", "b", "d"])
        for number in 1...count {
            let container = try TemporaryContainer()
            let folder = container.path + "/queue"
            let said = try lines(of: folder, "kill", number)
            #expect(!said.contains("drained") || number == count)
            // Another process goes on, and everybody who was killed is dead for longer than a minute.
            var after: [String] = []
            try DeferredQueue(folder).drain(now: 5 + DeferredQueue.openingTime) {
                after.append($0.identifier)
                return true
            }
            let shown = named("shown", in: said)
            for identifier in Set(named("begun", in: said) + named("queued", in: said)) {
                let times = (shown + after).filter { $0 == identifier }.count
                #expect((1...2).contains(times), "killed at \(number): \(identifier) was shown \(times) times; \(said) \(after)")
            }
            #expect(after.count == Set(after).count, "killed at \(number): \(after)")
            #expect(try container.names(in: "queue").filter { !$0.hasPrefix("shown") } == ["drain.lock", "lock"], "killed at \(number)")
        }
        print("queue: killed \(count) times")
    }
}
