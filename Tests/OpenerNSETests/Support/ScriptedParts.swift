import EnvelopeFormat
import OpenerNSE

/// A replay record whose answer takes a while.
struct PausingReplays: ReplayRecord {
    let replays: MemoryReplays
    let scheduler: ChoosingScheduler

    func remember(
        _ conversation: ConversationIdentifier, _ message: MessageIdentifier, until: Int64, now: Int64
    ) -> ReplayAnswer {
        scheduler.pause()
        return replays.remember(conversation, message, until: until, now: now)
    }
}

/// Images that take a while and then are there, or are not.
final class PausingImages: ImageAttaching {
    static let image = AttachedImage(path: "/image.jpg", type: .jpeg)
    private let failure: ImageFailure?
    private let scheduler: ChoosingScheduler
    private let attachments = Mutex(0)

    init(_ failure: ImageFailure?, _ scheduler: ChoosingScheduler) {
        self.failure = failure
        self.scheduler = scheduler
    }

    /// How many were there so far.
    var count: Int { attachments.withLock { $0 } }

    func attach(
        _ source: ImageSource, within budget: Duration, isWanted: @Sendable () -> Bool
    ) throws(ImageFailure) -> AttachedImage {
        scheduler.pause()
        if let failure { throw failure }
        attachments.withLock { $0 += 1 }
        return Self.image
    }
}

/// Templates that take a while, and then have every text.
final class PausingTemplates: TextRendering {
    static let text = "rendered"
    private let scheduler: ChoosingScheduler
    private let renderings = Mutex(0)

    init(_ scheduler: ChoosingScheduler) { self.scheduler = scheduler }

    /// How many were there so far.
    var count: Int { renderings.withLock { $0 } }

    func texts(title: LocalizedText?, body: LocalizedText?) -> (title: String?, body: String?) {
        scheduler.pause()
        renderings.withLock { $0 += 1 }
        return (title.map { _ in Self.text }, body.map { _ in Self.text })
    }
}

/// What handlers were called with, in order.
final class Deliveries: Sendable {
    private let delivered = Mutex<[(request: String, shown: ShownNotification)]>([])

    func handler(_ request: String) -> @Sendable (ShownNotification) -> Void {
        { [self] shown in delivered.withLock { $0.append((request, shown)) } }
    }

    func of(_ request: String) -> [ShownNotification] {
        delivered.withLock { $0.filter { $0.request == request }.map(\.shown) }
    }
}

/// Events in order.
final class EventList: Telemetry {
    private let events = Mutex<[TelemetryEvent]>([])
    private let onDelivery: @Sendable () -> Void

    /// - Parameter onDelivery: called with each event that something was delivered.
    init(onDelivery: @escaping @Sendable () -> Void = {}) { self.onDelivery = onDelivery }

    var all: [TelemetryEvent] { events.withLock { $0 } }

    func count(_ isCounted: (TelemetryEvent) -> Bool) -> Int { all.filter(isCounted).count }

    func record(_ event: TelemetryEvent, at time: Int64) {
        events.withLock { $0.append(event) }
        if case .delivered = event { onDelivery() }
    }
}

extension TelemetryEvent {
    var isDelivery: Bool { if case .delivered = self { true } else { false } }

    /// Whether it tells how opening, or an image, came out.
    var isEndOfDecryption: Bool {
        guard case .decryption(let stage) = self else { return false }
        return stage != .attempted
    }

    var isEndOfImage: Bool {
        guard case .image(let stage) = self else { return false }
        return stage != .attempted
    }
}
