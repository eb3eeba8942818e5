import EnvelopeFormat
import OpenerNSE
import Synchronization
import TestSupport
import Testing

/// Every order in which opening, rendering, image, the clock, the system's expiry and a second delivery of the same request can come: the
/// handler is called once in each, and never with less than what was won by then.
@Suite struct InterleavingTests {
    /// How the stages of a case end.
    struct Ending: Sendable, CustomStringConvertible {
        let opens: Bool
        let image: ImageFailure?
        var isRendered = false
        var description: String {
            "\(opens ? "opened" : "failed")\(isRendered ? ", rendered" : ""), image \(image?.rawValue ?? "there")"
        }
    }

    static let endings = [
        Ending(opens: true, image: nil), Ending(opens: true, image: .timeout), Ending(opens: false, image: nil),
        Ending(opens: true, image: nil, isRendered: true),
    ]

    @Test(arguments: endings, [false, true]) func theHandlerIsCalledOnceAndWithWhatWasWon(_ ending: Ending, isTwice: Bool) throws {
        let phone = try Phone()
        try phone.hold()
        let localised = ending.isRendered ? #","loc_body":{"key":"k","args":{}}"# : ""
        let claims = try phone.claims(more: localised + #","image":{"url":"https://example.com/a"}"#)
        let sealed = try phone.seal(claims, handle: ending.opens ? 1 : 2)
        let count = try ChoosingScheduler.everyInterleaving { scheduler in
            let deliveries = Deliveries()
            let won = Mutex((isOpened: false, isRendered: false, hasImage: false))
            let images = PausingImages(ending.image, scheduler)
            let templates = PausingTemplates(scheduler)
            let replays = MemoryReplays()
            // What is delivered is decided; while it is told, others may come to deliver, or win what is too late.
            let events = EventList {
                won.withLock { $0 = (replays.count > 0, templates.count > 0, images.count > 0) }
                if !isTwice { scheduler.pause() }
            }
            let opener = Opener(
                keychain: phone.keychain, replays: PausingReplays(replays: replays, scheduler: scheduler),
                configuration: OpenerConfiguration(placeholder: Phone.placeholder))
            let pipeline = NotificationPipeline(
                opener: opener, rendering: templates, images: images, telemetry: events, scheduler: scheduler)
            @Sendable func receive(_ name: String) {
                let incoming = IncomingNotification(identifier: "request", sealed: .string(sealed), arrival: Phone.now)
                let deliver = deliveries.handler(name)
                let run = pipeline.receive(incoming) { shown in
                    // What one alone had won by then, it has; and that it is delivered was told before.
                    if !isTwice {
                        let won = won.withLock { $0 }
                        #expect((shown.base == .claims) == won.isOpened && (shown.attachment != nil) == won.hasImage)
                        #expect((shown.text.body == PausingTemplates.text) == won.isRendered)
                        #expect(events.count(\.isDelivery) == 1)
                    }
                    deliver(shown)
                }
                // The clock of each stands for it where there are two: it does the same.
                guard !isTwice || TestAmount.isSlow else { return }
                scheduler.run {
                    run.expire()
                    #expect(run.isDelivered)
                }
            }
            receive("first")
            if isTwice { scheduler.run { receive("second") } }
            scheduler.finish()

            let names = isTwice ? ["first", "second"] : ["first"]
            for name in names {
                let shown = deliveries.of(name)
                #expect(shown.count == 1)
                guard let only = shown.first else { continue }
                try judge(only, ending)
            }
            #expect(events.count(\.isDelivery) == names.count && events.count { $0 == .started } == names.count)
            // Each stage that began has told once how it came out.
            #expect(events.count(\.isEndOfDecryption) == names.count)
            #expect(events.count { $0 == .image(.attempted) } == events.count(\.isEndOfImage))
        }
        #expect(count > (isTwice ? 30 : 2), "\(count) interleavings")
        print("\(ending), twice \(isTwice): \(count) interleavings")
    }

    private func judge(_ shown: ShownNotification, _ ending: Ending) throws {
        switch shown.base {
        case .received: Issue.record("nothing of what came is shown")
        case .placeholder: #expect(shown.text == Phone.placeholder && shown.attachment == nil && shown.userInfo.isEmpty)
        case .claims:
            let isRendered = ending.isRendered && shown.text == ShownText(body: PausingTemplates.text)
            #expect(ending.opens && (isRendered || shown.text == ShownText(body: "inside")))
            #expect(shown.attachment == nil || shown.attachment == PausingImages.image && ending.image == nil)
        }
    }
}
