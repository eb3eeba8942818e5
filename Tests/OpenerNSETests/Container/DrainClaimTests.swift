import EnvelopeFormat
import Foundation
import Testing

@testable import OpenerNSE

/// One drain at a time, and none that keeps all others away.
@Suite struct DrainClaimTests {
    private let container: TemporaryContainer
    private let queue: DeferredQueue

    init() throws {
        container = try TemporaryContainer()
        queue = try DeferredQueue(container.path + "/queue")
        for number in 1...3 { add("\(number)") }
    }

    private func add(_ text: String) {
        let incoming = IncomingNotification(identifier: text, sealed: .string(text), arrival: Int64(text) ?? 0)
        _ = queue.settle(queue.begin(incoming), incoming, .keyLocked, isShown: true)
    }

    private func drain(patience: Int64 = DrainClaim.patience, _ body: (String) -> Bool) throws -> Bool {
        // As another process has it.
        let queue = try DeferredQueue(container.path + "/queue")
        return try queue.drain(now: 10, patience: patience) { body($0.identifier) }
    }

    /// While one is at it another one does nothing at once, and the extension goes on.
    @Test func oneAtATime() throws {
        var shown: [String] = []
        let isOurs = try drain { name in
            shown.append(name)
            #expect(throws: Never.self) {
                try #expect(
                    !drain { _ in
                        Issue.record("it is shown twice")
                        return true
                    })
            }
            add("4")
            return true
        }
        #expect(isOurs && shown == ["1", "2", "3"])
        #expect(try queue.count() == 1)
        #expect(try drain { $0 == "4" })
        #expect(try queue.count() == 0)
    }

    /// Whoever does not get on loses the claim: what he had is shown once more, the rest is not his any more.
    @Test func aBodyThatHangsKeepsNobodyAway() throws {
        var (first, second): ([String], [String]) = ([], [])
        let isOurs = try drain { name in
            first.append(name)
            // It hangs, and its time is over.
            #expect(throws: Never.self) {
                try #expect(
                    drain(patience: 0) { name in
                        second.append(name)
                        return name != "3"
                    })
            }
            return true
        }
        #expect(!isOurs && first == ["1"] && second == ["1", "2", "3"])
        #expect(try queue.count() == 1)
        #expect(try drain { $0 == "3" })
        #expect(try queue.count() == 0)
    }

    /// A claim of a process that ended is none, whatever its time says; nor is one from times to come.
    @Test func whoEndedHoldsNothing() throws {
        #expect(try drain { _ in false })
        #expect(try drain { _ in false })
        // As if it was renewed in times to come, or when the system ran longer.
        let isOurs = try drain { _ in
            #expect(throws: Never.self) {
                let path = container.path + "/queue/drain.lock"
                try FileManager.default.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1e10)], ofItemAtPath: path)
                try #expect(drain { _ in true })
            }
            return false
        }
        #expect(!isOurs)
    }

    /// Neither an app that was stopped while it held the lock nor anything else makes a notification wait for long.
    @Test func aLockThatIsHeldCostsTheQueueAlone() throws {
        let phone = try Phone()
        try phone.hold()
        let directory = try ContainerDirectory(container.path + "/queue", patience: .milliseconds(1))
        let lock = try #require(try directory.lock("lock"))
        let (deliveries, events, scheduler) = (Deliveries(), EventList(), ChoosingScheduler(isTimeEndless: true))
        let pipeline = NotificationPipeline(
            opener: phone.opener(), deferred: DeferredQueue(directory), telemetry: events, scheduler: scheduler)
        for (name, sealed) in [("opens", try phone.seal(try phone.claims())), ("waits", try phone.seal(try phone.claims(1), handle: 1))] {
            if name == "waits" { phone.keychain.change { $0.lock = .beforeFirstUnlock } }
            pipeline.receive(
                IncomingNotification(identifier: name, sealed: .string(sealed), arrival: Phone.now), handler: deliveries.handler(name))
            scheduler.finish()
        }
        #expect(deliveries.of("opens").map(\.text) == [ShownText(body: "inside")])
        #expect(deliveries.of("waits").map(\.outcome) == [.keyLocked])
        #expect(events.all.contains(.refused(.storage)))
        withExtendedLifetime(lock) {}
    }
}
