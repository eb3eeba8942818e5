import Foundation
import Testing

@testable import OpenerNSE

/// `kill -9` at every write of the queue: nothing that waits is lost, and nothing is shown more than twice.
@Suite struct QueueKillTests {
    @Test func nothingIsLostAndNothingComesThrice() throws {
        let whole = try TemporaryContainer()
        let said = try Worker.lines(whole.path + "/queue", "queue/count", 0)
        let count = try #require(Worker.named("passed", in: said).first.flatMap(Int.init))
        #expect(count > 20 && said.contains("drained"))
        #expect(Worker.named("shown", in: said) == ["c", "a", "b", "d"])
        for number in 1...count {
            let container = try TemporaryContainer()
            let folder = container.path + "/queue"
            let said = try Worker.lines(folder, "queue/kill", number)
            #expect(!said.contains("drained") || number == count)
            // Another process goes on, and everybody who was killed is dead for longer than a minute.
            var after: [String] = []
            try DeferredQueue(folder).drain(now: 5 + DeferredQueue.openingTime) {
                after.append($0.identifier)
                return true
            }
            let shown = Worker.named("shown", in: said)
            for identifier in Set(Worker.named("begun", in: said) + Worker.named("queued", in: said)) {
                let times = (shown + after).filter { $0 == identifier }.count
                #expect((1...2).contains(times), "killed at \(number): \(identifier) was shown \(times) times; \(said) \(after)")
            }
            #expect(after.count == Set(after).count, "killed at \(number): \(after)")
            #expect(
                try container.names(in: "queue").filter { !$0.hasPrefix("shown") } == ["drain.lock", "lock"],
                "killed at \(number)")
        }
        print("queue: killed \(count) times")
    }

    /// From the n-th write on there is no room: what is said to wait is drained, then or when there is room again, and what found no
    /// room is refused.
    @Test(arguments: ["full", "io", "read-only"]) func withoutRoomNothingThatWaitsIsLost(_ fault: String) throws {
        let whole = try TemporaryContainer()
        let count = try #require(Worker.named("passed", in: Worker.lines(whole.path + "/queue", "queue/count", 0)).first.flatMap(Int.init))
        var refused = 0
        for number in 1...count {
            let container = try TemporaryContainer()
            let folder = container.path + "/queue"
            let said = try Worker.lines(folder, "queue/\(fault)", number)
            var shown = Worker.named("shown", in: said)
            try DeferredQueue(folder).drain(now: 5 + DeferredQueue.openingTime) {
                shown.append($0.identifier)
                return true
            }
            for identifier in Set(Worker.named("queued", in: said) + ["c"]) where said.contains("begun \(identifier)") {
                #expect(shown.contains(identifier), "\(fault) from \(number) on: \(identifier); \(said)")
            }
            refused += Worker.named("refused", in: said).count
        }
        #expect(refused > 0)
    }
}
