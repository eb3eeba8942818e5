import EnvelopeFormat
import Glibc
import KeyStore
import Sealer
import Synchronization

/// The service: a store, the places it listens at, and what it does on signals.
public final class Service: Sendable {
    private struct Place: Sendable {
        let configuration: ListenerConfiguration
        let socket: ListeningSocket
        let handler: ServiceHandler
        var listener: HTTPListener
    }

    private let configuration: ServiceConfiguration
    private let parts: ServiceParts
    private let workers: WorkerPool
    private let tokens: Admission.Tokens
    private let log: EventLog
    private let stopping: Stopping
    private let places = Mutex<[Place]>([])
    /// Listeners that take no more connections since certificates were replaced, until theirs have ended.
    private let former = Mutex<[HTTPListener]>([])

    /// Whether it is being stopped, for whoever asks.
    private final class Stopping: Sendable { let flag = Atomic<Bool>(false) }

    /// Opens the store, reads tokens and certificates, and listens; nobody is answered yet.
    /// - Throws: ``ServiceError``, or ``KeyStoreError`` of the store.
    public init(_ configuration: ServiceConfiguration, inherited: InheritedSockets, now: Int64) throws {
        self.configuration = configuration
        let log = EventLog(isTellingAll: configuration.logsAll)
        self.log = log
        let store = try Store.open(directory: configuration.store, accessGroup: configuration.accessGroup)
        let sealer = try SealerStore(store)
        if let keyFile = configuration.keyFile, (try? store.lockState) != .unlocked { try store.unlock(.keyFile(path: keyFile), now: now) }
        try SelfTest.require()
        let stopping = Stopping()
        self.stopping = stopping
        parts = ServiceParts(
            store: sealer, sealer: try PushSealer(sealer, leasing: .doubling), metrics: Metrics(started: now),
            isStopping: { stopping.flag.load(ordering: .relaxed) })
        workers = WorkerPool(threads: configuration.workers, queue: configuration.queue, mostOfCaller: configuration.requestsOfCaller)
        tokens = Admission.Tokens(try Self.tokens(configuration))
        var places: [Place] = []
        for listener in configuration.listeners {
            let socket = try ListeningSocket.open(listener.place, inherited: inherited)
            try listener.check(socket, hasTokens: configuration.tokens != nil)
            let admission = Admission(isUnix: socket.isUnix, allowed: listener.allowed, clients: listener.clients, tokens: tokens)
            let handler = ServiceHandler(parts, .service, admission, workers, configuration.limits, log)
            let made = HTTPListener(
                socket: socket.descriptor, handler: handler, limits: configuration.limits, certificates: try listener.certificates())
            places.append(Place(configuration: listener, socket: socket, handler: handler, listener: made))
        }
        self.places.withLock { $0 = places }
    }

    private static func tokens(_ configuration: ServiceConfiguration) throws(ServiceError) -> TokenList {
        guard let path = configuration.tokens else { return TokenList() }
        return try ConfigurationFile.parse(path) { (bytes) throws(FormatError) in try TokenList(parsing: bytes) }
    }

    /// Answers from now on.
    /// - Throws: ``ServiceError`` where the HTTP library does not begin.
    public func start() throws(ServiceError) {
        for place in places.withLock({ $0 }) {
            guard place.listener.start() else {
                throw ServiceError(
                    place.socket.name,
                    place.configuration.tls == nil
                        ? "it cannot be served" : "it cannot be served: certificate and key may not belong together")
            }
            log.write(.info, "listening", ["place": .string(place.socket.name)])
        }
    }

    private static var signals: sigset_t {
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&signals, signal) }
        return signals
    }

    /// Blocks the signals that ``run()`` waits for: to be called before the first thread is started, so that all have them blocked.
    public static func blockSignals() {
        var signals = Self.signals
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Waits for signals: `SIGHUP` reads tokens and certificates anew, `SIGTERM` and `SIGINT` stop the service once what runs is
    /// answered. ``blockSignals()`` comes first.
    /// - Returns: whether all was answered.
    public func run() -> Bool {
        var signals = Self.signals
        ServiceManager.tell("READY=1")
        while true {
            var pause = timespec(tv_sec: 0, tv_nsec: 250_000_000)
            let signal = sigtimedwait(&signals, nil, &pause)
            switch signal {
            case SIGHUP:
                ServiceManager.tell("RELOADING=1\nMONOTONIC_USEC=\(Int64(MonotonicClock.seconds * 1e6))")
                reload()
                ServiceManager.tell("READY=1")
            case SIGTERM, SIGINT:
                ServiceManager.tell("STOPPING=1")
                return stop()
            default: sweep()
            }
        }
    }

    private func sweep() {
        let now = MonotonicClock.seconds
        for place in places.withLock({ $0 }) { place.listener.sweep(now: now) }
        let ended = former.withLock { former in
            for listener in former { listener.sweep(now: now) }
            let ended = former.filter { $0.connections.count == 0 }
            former.removeAll { listener in ended.contains { $0 === listener } }
            return ended
        }
        for listener in ended { listener.stop() }
    }

    /// Reads tokens and certificates anew. What cannot be read leaves everything as it was.
    private func reload() {
        do {
            let list = try Self.tokens(configuration)
            var replaced: [(Int, HTTPListener)] = []
            for (index, place) in places.withLock({ $0 }).enumerated() where place.configuration.tls != nil {
                let listener = HTTPListener(
                    socket: place.socket.descriptor, handler: place.handler, limits: configuration.limits,
                    certificates: try place.configuration.certificates())
                guard listener.start() else {
                    for (_, made) in replaced { made.stop() }
                    throw ServiceError(place.socket.name, "certificate and key may not belong together")
                }
                replaced.append((index, listener))
            }
            tokens.current = list
            for (index, listener) in replaced {
                let old = places.withLock { places in
                    defer { places[index].listener = listener }
                    return places[index].listener
                }
                old.quiesce()
                old.connections.endIdle()
                former.withLock { $0.append(old) }
            }
            log.write(.info, "reloaded", ["tokens": .integer(list.tokens.count), "certificates": .integer(replaced.count)])
        } catch { log.write(.error, "not-reloaded", ["reason": .string("\(error)")]) }
    }

    /// Takes no more connections, answers what runs, tells the store which seals were not used.
    private func stop() -> Bool {
        stopping.flag.store(true, ordering: .relaxed)
        log.write(.info, "stopping")
        let listeners = places.withLock { $0.map(\.listener) } + former.withLock { $0 }
        for listener in listeners {
            listener.quiesce()
            listener.connections.endIdle()
        }
        let last = MonotonicClock.seconds + configuration.drainSeconds
        while MonotonicClock.seconds < last, workers.count > 0 || listeners.contains(where: { $0.connections.count > 0 }) {
            usleep(20_000)
            for listener in listeners {
                listener.connections.endIdle()
                listener.sweep(now: MonotonicClock.seconds)
            }
        }
        let isDrained = workers.count == 0
        // The library waits for whoever makes an answer; where one still runs the process ends around it.
        if isDrained { for listener in listeners { listener.stop() } }
        do { try parts.sealer.endLeases(now: Int64(time(nil))) } catch {
            log.write(.warning, "leases-not-returned", ["reason": .string("\(error)")])
        }
        for place in places.withLock({ $0 }) { place.socket.removePath() }
        log.write(isDrained ? .info : .warning, "stopped", ["answered_all": .bool(isDrained)])
        return isDrained
    }
}
