import EnvelopeFormat
internal import ExtensionChannel
internal import Glibc
public import KeyStore
public import OpenerNSE

/// Runs a notification through the extension of an emulated phone, as the system would: a process of its own, with the memory and
/// the time that the system gives it.
public struct ExtensionSimulation {
    /// What an extension may have resident before it is killed.
    public static let memoryLimit = 24 << 20
    /// When the system says that the time is up, and when it kills, in seconds after the start.
    static let expiryTime = 28
    static let killTime = 30

    /// How the process ended.
    public enum Ending: Sendable, Equatable {
        /// The handler was called.
        case delivered
        case killedForMemory
        case killedForTime
        /// By a signal or with a code of its own, by wait(2).
        case ended(status: Int32)
    }

    public struct Result: Sendable {
        /// What is shown; nil where the handler was not called: the system shows the notification as it came.
        public internal(set) var shown: ShownNotification?
        public internal(set) var ending: Ending
        /// Resident bytes at most, when the handler was called or the process was killed.
        public internal(set) var peakByteCount: Int
        /// By the clock of the extension, from the request until the handler was called or the process ended.
        public internal(set) var elapsed: Duration
        /// What the extension told of itself.
        public internal(set) var events: [TelemetryLine]
        /// What was wrong with the store, if anything.
        public internal(set) var failure: KeyStoreError?
    }

    let store: DeviceStore
    let accessGroup: String?
    let program: String
    let order: ExtensionOrder
    let fetches: FetchService
    let keepsChanges: Bool

    init(
        _ store: DeviceStore, accessGroup: String?, program: String, _ order: ExtensionOrder, _ fetches: FetchService,
        keepsChanges: Bool
    ) {
        self.store = store
        self.accessGroup = accessGroup
        self.program = program
        self.order = order
        self.fetches = fetches
        self.keepsChanges = keepsChanges
    }

    func run() throws -> Result {
        _ = try ContainerDirectory(order.container)
        let child = try ExtensionChild(program)
        let limit = MemoryLimit(Self.memoryLimit, of: child.process)
        try child.channel.setPatience(seconds: 10)
        fetches.serve(child.fetches)
        let service = PhoneService(store, accessGroup: accessGroup, child.channel, now: order.arrival, keepsChanges: keepsChanges)
        var result = Result(shown: nil, ending: .killedForTime, peakByteCount: 0, elapsed: .zero, events: [], failure: nil)
        let start = ContinuousClock.now
        do {
            try child.channel.send(order.message)
            result.ending = try watch(child, limit, service, start, &result)
        } catch ChannelError.closed {
            result.ending = ended(child)
        }
        result.elapsed = start.duration(to: .now) * order.timeScale
        settle(child, service, &result)
        result.failure = service.keychain.trouble.first
        return result
    }

    /// Serves the process until it has called its handler, or has ended.
    private func watch(
        _ child: ExtensionChild, _ limit: MemoryLimit, _ service: PhoneService, _ start: ContinuousClock.Instant,
        _ result: inout Result
    ) throws -> Ending {
        var isTold = false
        while true {
            let elapsed = start.duration(to: .now) * order.timeScale
            if elapsed >= .seconds(Self.killTime) {
                child.kill()
                return .killedForTime
            }
            if elapsed >= .seconds(Self.expiryTime), !isTold {
                child.expire()
                isTold = true
            }
            result.peakByteCount = max(result.peakByteCount, MemoryLimit.peak(of: child.process))
            if limit.bites() { return .killedForMemory }
            guard child.channel.isReadable(within: 5) else { continue }
            let message = try child.channel.receive()
            guard message.name == "shown" else {
                try take(message, service, &result)
                continue
            }
            result.shown = try message.json["notification"].map { try ShownNotification($0) }
            result.peakByteCount = max(result.peakByteCount, Int(message.json["peak_kib"]?.plainInteger ?? 0) * 1_024)
            return .delivered
        }
    }

    private func take(_ message: ChannelMessage, _ service: PhoneService, _ result: inout Result) throws(ChannelError) {
        guard message.name == "event" else { return try service.answer(message) }
        guard let event = message.event else { throw .malformed("event") }
        result.events.append(event)
    }

    /// The kernel kills what is over the limit of a control group by itself.
    private func ended(_ child: ExtensionChild) -> Ending {
        for _ in 0..<200 {
            if let status = child.status() {
                let isKilled = status & 0x7F == 9
                return isKilled ? .killedForMemory : .ended(status: status)
            }
            poll(nil, 0, 5)
        }
        return .killedForTime
    }

    /// What comes after the handler has returned may take a moment; the system does not wait for it for long either.
    /// It is listened to until it has ended, also when it was killed: what it told before is here.
    private func settle(_ child: ExtensionChild, _ service: PhoneService, _ result: inout Result) {
        child.hangUp()
        let end = ContinuousClock.now + .seconds(1)
        do {
            while ContinuousClock.now < end {
                guard child.channel.isReadable(within: 5) else { continue }
                let message = try child.channel.receive()
                // The handler was called too late, or said again what is known.
                if message.name != "shown" { try take(message, service, &result) }
            }
        } catch {
            // It has ended, or talks nonsense: it was done with in any case.
        }
        child.end()
    }
}
