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
    static let image = AttachedImage(path: "/image.jpg", type: .jpeg, isUnscaled: false)
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

    var all: [TelemetryEvent] { events.withLock { $0 } }

    func record(_ event: TelemetryEvent, at time: Int64) { events.withLock { $0.append(event) } }
}
