import EnvelopeFormat
import Testing

@testable import OpenerNSE

/// That something was shown is confirmed only once the handler has returned, whoever called it.
@Suite struct ConfirmationTests {
    @Test func nothingIsConfirmedBeforeTheHandlerReturned() throws {
        let phone = try Phone()
        try phone.hold()
        let sealed = try phone.seal(try phone.claims(more: #","image":{"url":"https://example.com/a"}"#))
        var endings: Set<[Int]> = []
        let count = try ChoosingScheduler.everyInterleaving { scheduler in
            let container = try TemporaryContainer()
            let queue = try DeferredQueue(container.path + "/queue")
            let opener = Opener(
                keychain: phone.keychain, replays: PausingReplays(replays: MemoryReplays(), scheduler: scheduler),
                configuration: OpenerConfiguration(placeholder: Phone.placeholder))
            let pipeline = NotificationPipeline(
                opener: opener, images: PausingImages(nil, scheduler), deferred: queue, scheduler: scheduler)
            let deliveries = Deliveries()
            let deliver = deliveries.handler("r")
            let incoming = IncomingNotification(identifier: "r", sealed: .string(sealed), arrival: Phone.now)
            let run = pipeline.receive(incoming) { shown in
                // The system takes its time, and other threads get on.
                scheduler.pause()
                #expect(throws: Never.self) { try #expect(!container.names(in: "queue").contains("shown")) }
                deliver(shown)
            }
            scheduler.finish()
            #expect(run.isEnded && run.isDelivered && deliveries.of("r").count == 1)
            let names = try container.names(in: "queue")
            let isShown = deliveries.of("r").first?.base == .claims
            // Shown and confirmed, or waiting: never both, never none.
            #expect(names.contains("shown") == isShown && names.contains { $0.hasSuffix(".queued") } == !isShown)
            #expect(!names.contains { $0.hasSuffix(".begun") })
            endings.insert([isShown ? 1 : 0, deliveries.of("r").first?.attachment == nil ? 0 : 1])
        }
        #expect(endings == [[0, 0], [1, 0], [1, 1]], "\(count) interleavings")
    }
}
