import EnvelopeFormat
internal import ExtensionChannel
internal import Glibc
public import KeyStore
public import OpenerNSE

/// Runs a notification through the extension of an emulated phone, as the system would: a process of its own, with the memory and
/// the time that the system gives it.
public struct ExtensionSimulation {
    /// What an extension may have resident before it is killed, in bytes: 24 MB.
    public static let memoryLimit = 24_000_000
    /// When the system says that the time is up, and when it kills, in seconds after the start.
    static let expiryTime = 28
    static let killTime = 30

    /// How the process ended.
    public enum Ending: Sendable, Equatable {
        /// The handler was called.
        case delivered
        case killedForMemory
        case killedForTime
        /// By a signal, and not for its memory.
        case killed(signal: Int32)
        case exited(code: Int32)
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
        /// What the message asks of the app's templates and they do not give.
        public internal(set) var unrendered: [UnrenderedText] = []
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

    /// - Parameters:
    ///   - goesOn: asked all the time, with the seconds that have passed.
    ///   - show: is handed what came of it. What is shown counts as shown once this has returned; when it throws, or this process is
    ///     killed before, it waits in the shared container for the app.
    /// - Returns: false where it was told not to go on.
    func run(while goesOn: (Int) -> Bool, show: (Result) throws -> Void) throws -> Bool {
        _ = try ContainerDirectory(order.container)
        let child = try ExtensionChild(program)
        let limit = MemoryLimit(Self.memoryLimit, of: child.process)
        defer {
            child.end()
            limit.remove()
        }
        let service = PhoneService(store, accessGroup: accessGroup, child.channel, now: order.arrival, keepsChanges: keepsChanges)
        var result = Result(shown: nil, ending: .killedForTime, peakByteCount: 0, elapsed: .zero, events: [], failure: nil)
        do {
            try child.channel.setPatience(seconds: 10)
            fetches.serve(child.fetches)
            guard try watch(child, limit, service, goesOn, &result) else { return false }
        } catch let error as ChannelError { throw SimulationError.malformed(path: program, reason: error.description) }
        if result.shown == nil {
            child.kill()
            listen(to: child, service, &result)
        }
        // Between two looks at it.
        if result.ending == .killedForMemory { result.peakByteCount = max(result.peakByteCount, Self.memoryLimit) }
        result.failure = service.keychain.trouble.first
        try show(result)
        if result.shown != nil { confirm(child, service, &result) }
        return true
    }

    /// Runs it until the process has called its handler, or has ended.
    private func watch(
        _ child: ExtensionChild, _ limit: MemoryLimit, _ service: PhoneService, _ goesOn: (Int) -> Bool, _ result: inout Result
    ) throws -> Bool {
        let start = ContinuousClock.now
        defer { result.elapsed = start.duration(to: .now) * order.timeScale }
        do {
            try child.channel.send(order.message)
            guard let ending = try serve(child, limit, service, start, goesOn, &result) else { return false }
            result.ending = ending
        } catch ChannelError.closed {
            result.ending = ended(child, limit)
        }
        return true
    }

    /// - Returns: nil where it was told not to go on.
    private func serve(
        _ child: ExtensionChild, _ limit: MemoryLimit, _ service: PhoneService, _ start: ContinuousClock.Instant,
        _ goesOn: (Int) -> Bool, _ result: inout Result
    ) throws -> Ending? {
        var isTold = false
        while true {
            let passed = start.duration(to: .now)
            guard goesOn(Int(passed.components.seconds)) else { return nil }
            let elapsed = passed * order.timeScale
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
            result.peakByteCount = max(result.peakByteCount, Int(message.json["peak_kib"]?.plainInteger ?? 0) * 1_024)
            result.shown = try ShownNotification(message.json["notification"] ?? .null)
            return .delivered
        }
    }

    private func take(_ message: ChannelMessage, _ service: PhoneService, _ result: inout Result) throws(ChannelError) {
        guard message.name == "event" else { return try service.answer(message) }
        guard let event = message.event else { throw .malformed("event") }
        result.events.append(event)
    }

    /// It has closed its end of the channel, and ends, or was ended.
    private func ended(_ child: ExtensionChild, _ limit: MemoryLimit) -> Ending {
        for _ in 0..<200 {
            guard let status = child.status() else {
                poll(nil, 0, 5)
                continue
            }
            // By wait(2).
            let signal = status & 0x7F
            guard signal != 0 else { return .exited(code: status >> 8 & 0xFF) }
            // The kernel kills what is over the limit of a control group by itself.
            return signal == SIGKILL && limit.hasBitten ? .killedForMemory : .killed(signal: signal)
        }
        return .killedForTime
    }

    /// Its handler returns now. What comes then may take a moment; the system does not wait for it for long either.
    private func confirm(_ child: ExtensionChild, _ service: PhoneService, _ result: inout Result) {
        do throws(ChannelError) { try child.channel.send(ChannelMessage("taken")) } catch { return }
        child.hangUp()
        listen(to: child, service, &result)
    }

    /// Until it has ended, also when it was killed: what it told before is here.
    private func listen(to child: ExtensionChild, _ service: PhoneService, _ result: inout Result) {
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
    }
}
