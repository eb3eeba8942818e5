import EnvelopeFormat
import Foundation
import Testing

@testable import OpenerNSE

/// What each outcome shows, and what it leaves for the app.
@Suite struct PipelineTests {
    private let phone: Phone
    private let container: TemporaryContainer
    private let queue: DeferredQueue
    private let notes: BundleNotes
    private let events = EventList()
    private let deliveries = Deliveries()

    init() throws {
        phone = try Phone()
        try phone.hold()
        container = try TemporaryContainer()
        queue = try DeferredQueue(container.path + "/queue")
        notes = BundleNotes(container.directory)
    }

    /// Receives with the stages in order, and returns what was shown.
    @discardableResult
    private func show(
        _ sealed: SealedMember, imageURL: String? = nil, images: (any ImageAttaching)? = nil,
        _ configuration: PipelineConfiguration = PipelineConfiguration()
    ) throws -> ShownNotification {
        let scheduler = ChoosingScheduler(isTimeEndless: true)
        let pipeline = NotificationPipeline(
            opener: phone.opener(), images: images, deferred: queue, notes: notes, telemetry: events, scheduler: scheduler,
            configuration: configuration)
        let name = UUID().uuidString
        let incoming = IncomingNotification(identifier: name, sealed: sealed, imageURL: imageURL, arrival: Phone.now)
        pipeline.receive(incoming, handler: deliveries.handler(name))
        scheduler.finish()
        let shown = deliveries.of(name)
        #expect(shown.count == 1)
        return try #require(shown.first)
    }

    private func expectPlaceholder(_ shown: ShownNotification) {
        #expect(shown.base == .placeholder && shown.text == Phone.placeholder && shown.attachment == nil)
        #expect(shown.thread == nil && shown.category == nil && shown.userInfo.isEmpty && !shown.isSilent)
    }

    @Test func whatOpensShowsTheClaimsAlone() throws {
        let more = #","title":"t","subtitle":"s","thread":"th","category":"c","data":{"room":7}"#
        let shown = try show(.string(try phone.seal(try phone.claims(more: more))))
        #expect(shown.base == .claims && shown.text == ShownText(title: "t", subtitle: "s", body: "inside"))
        #expect(shown.thread == "th" && shown.category == "c" && !shown.isSilent && !shown.isSuppressible)
        #expect(JSONValue.object(shown.userInfo) == .object([JSONMember("room", .number("7"))]))
        #expect(try container.names(in: "queue").filter { $0 != "shown" } == ["lock"])
        #expect(
            events.all == [.started, .decryption(.attempted), .decryption(.succeeded), .delivered(after: .zero)])
    }

    @Test func aDuplicateIsShownAgainWithoutASound() throws {
        let sealed = try phone.seal(try phone.claims())
        try show(.string(sealed))
        let again = try show(.string(sealed))
        #expect(again.base == .claims && again.text == ShownText(body: "inside") && again.isSilent && !again.isSuppressible)
    }

    /// What the app may hold back was shown before, to the end: the handler had returned.
    @Test func onlyWhatWasShownNeedNotBeShownAgain() throws {
        let sealed = SealedMember.string(try phone.seal(try phone.claims()))
        let may = PipelineConfiguration(canSuppress: true)
        #expect(try !show(sealed, may).isSuppressible)
        #expect(try show(sealed, may).isSuppressible)
        #expect(try !show(sealed).isSuppressible)
        // Remembered, and its extension was killed before it was shown.
        let other = SealedMember.string(try phone.seal(try phone.claims(1)))
        _ = phone.opener().open(sealed: other, now: Phone.now)
        let shown = try show(other, may)
        #expect(shown.isSilent && !shown.isSuppressible)
        #expect(try show(other, may).isSuppressible)
    }

    @Test func whatWasShownIsForgottenInTime() throws {
        let shown = ShownMessages(container.directory, lock: "lock")
        func digest(_ number: Int) -> String { String(repeating: "0", count: 32 - String(number).count) + String(number) }
        for number in 0..<3 * ShownMessages.count { try shown.add(digest(number)) }
        #expect(try shown.contains(digest(3 * ShownMessages.count - 1)) && shown.contains(digest(2 * ShownMessages.count + 1)))
        #expect(try !shown.contains(digest(0)))
        #expect(try container.directory.byteCount(of: "shown") ?? 0 <= 2 * ShownMessages.count * 33)
    }

    @Test func whatIsLockedWaitsAndOpensLaterAsOfItsArrival() throws {
        phone.keychain.change { $0.lock = .beforeFirstUnlock }
        let claims = try phone.claims(more: #","exp":\#(Phone.now + 60)"#)
        expectPlaceholder(try show(.string(try phone.seal(claims))))
        #expect(try queue.count() == 1)
        phone.keychain.change { $0.lock = .unlocked }
        // Long after its end: it is judged by when it came.
        var opened: [Opening] = []
        try queue.drain(now: Phone.now + Phone.day) { entry in
            opened.append(phone.opener().open(sealed: entry.sealed, arrival: entry.arrival, now: Phone.now + Phone.day))
            return true
        }
        #expect(opened.map(\.outcome) == [.opened] && opened.first?.shown == ShownText(body: "inside"))
    }

    @Test func anUnknownKeyIsNotedAndNothingIsMade() throws {
        let before = phone.keychain.snapshot
        expectPlaceholder(try show(.string(try phone.seal(try phone.claims(), handle: 7))))
        #expect(try notes.take().map(\.kid) == [try phone.kid(0, try Phone.handle(7))])
        #expect(try queue.count() == 0)
        #expect(phone.keychain.snapshot == before)
    }

    @Test func whatWasNeverSealedIsShownAsItCame() throws {
        let scheduler = ChoosingScheduler()
        let image = "https://example.com/a"
        let shown = try show(.absent, imageURL: image, images: PausingImages(nil, scheduler))
        #expect(shown.base == .received && shown.attachment == PausingImages.image)
        #expect(try show(.absent).attachment == nil)
        let only = PipelineConfiguration(isSealedOnly: true)
        expectPlaceholder(try show(.absent, imageURL: image, images: PausingImages(nil, scheduler), only))
    }

    /// An image in the clear belongs to a notification in the clear, whatever becomes of the sealed part.
    @Test func anImageFromOutsideIsNotShownWithWhatWasSealed() throws {
        let images = PausingImages(nil, ChoosingScheduler())
        let url = "https://example.com/a"
        #expect(try show(.string(try phone.seal(try phone.claims())), imageURL: url, images: images).attachment == nil)
        expectPlaceholder(try show(.string("x"), imageURL: url, images: images))
        #expect(images.count == 0)
    }

    @Test(arguments: ImageFailure.allCases) func withoutItsImageTheTextIsShown(_ failure: ImageFailure) throws {
        let sealed = try phone.seal(try phone.claims(more: #","image":{"url":"https://example.com/a"}"#))
        let shown = try show(.string(sealed), images: PausingImages(failure, ChoosingScheduler()))
        #expect(shown.text == ShownText(body: "inside") && shown.attachment == nil)
        #expect(events.all.contains(.image(.failed(failure))))
    }

    /// Nothing of what was sent is in any field that is shown, nor a key's name or an error's.
    @Test func noFailureShowsAnythingButThePlaceholder() throws {
        let good = try phone.seal(try phone.claims(more: #","title":"t""#))
        var failing: [SealedMember] = [.other, .string(""), .string(good + "A"), .string(String(repeating: "A", count: 9_000))]
        var random = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            var bytes = Array(good.utf8)
            let at = Int.random(in: 0..<bytes.count, using: &random)
            bytes[at] = UInt8.random(in: 0x21...0x7E, using: &random)
            failing.append(.string(String(decoding: bytes, as: UTF8.self)))
        }
        for claims in ["{}", "[]", #"{"title":"t"}"#, try phone.claims(more: #","exp":1"#), try phone.claims(conversation: "other")] {
            failing.append(.string(try phone.seal(claims)))
        }
        failing.append(.string(try phone.seal(try phone.claims(issuedAt: Phone.now + 10_000))))
        failing.append(.string(try phone.seal(try phone.claims(issuedAt: Phone.now - 32 * Phone.day))))
        for sealed in failing {
            if case .string(let text) = sealed, text == good { continue }
            expectPlaceholder(try show(sealed))
        }
    }

    @Test func aClockThatRunsOutDeliversAndWhatOpensTooLateWaits() throws {
        // The clock's job comes first, then opening.
        let scheduler = ChoosingScheduler()
        let pipeline = NotificationPipeline(
            opener: phone.opener(), deferred: queue, telemetry: events, scheduler: scheduler)
        let sealed = try phone.seal(try phone.claims())
        let incoming = IncomingNotification(identifier: "r", sealed: .string(sealed), arrival: Phone.now)
        let run = pipeline.receive(incoming, handler: deliveries.handler("r"))
        scheduler.finish()
        expectPlaceholder(try #require(deliveries.of("r").first))
        #expect(deliveries.of("r").count == 1 && run.isDelivered)
        #expect(events.all.contains(.expired) && events.all.contains(.decryption(.failed(.timeExpired))))
        #expect(!events.all.contains(.decryption(.succeeded)))
        #expect(try queue.count() == 1)
        var opening: Opening?
        try queue.drain(now: Phone.now + 1) { entry in
            opening = phone.opener().open(sealed: entry.sealed, arrival: entry.arrival, now: Phone.now + 1)
            return true
        }
        // It was remembered, and not shown: shown now.
        #expect(opening?.outcome == .duplicate && opening?.shown == ShownText(body: "inside"))
    }

    @Test func aThousandAtOnceAreKeptApart() async throws {
        let pipeline = NotificationPipeline(
            opener: phone.opener(), deferred: queue, telemetry: TelemetryRing(container.directory), scheduler: SystemScheduler())
        let (deliveries, phone) = (deliveries, phone)
        let sealed = try (0..<1_000).map { number in
            let identifier = try MessageIdentifier(bytes: [UInt8](repeating: 0, count: 14) + [UInt8(number / 256), UInt8(number % 256)])
            return try phone.seal(
                #"{"jti":"\#(identifier)","iat":\#(Phone.now),"sub":"conv-1","body":"\#(number)"}"#, epoch: 0,
                handle: number % 10 == 9 ? 2 : 1)
        }
        await withTaskGroup(of: Void.self) { group in
            for (number, text) in sealed.enumerated() {
                group.addTask {
                    await withCheckedContinuation { continuation in
                        let handler = deliveries.handler("\(number)")
                        let incoming = IncomingNotification(identifier: "\(number)", sealed: .string(text), arrival: Phone.now)
                        let run = pipeline.receive(incoming) { shown in
                            handler(shown)
                            continuation.resume()
                        }
                        if number % 7 == 0 { run.expire() }
                    }
                }
            }
        }
        for number in 0..<1_000 {
            let shown = deliveries.of("\(number)")
            #expect(shown.count == 1)
            guard shown.first?.base == .claims else {
                #expect(number % 7 == 0 || number % 10 == 9)
                continue
            }
            #expect(shown.first?.text == ShownText(body: "\(number)") && number % 10 != 9)
        }
    }
}
