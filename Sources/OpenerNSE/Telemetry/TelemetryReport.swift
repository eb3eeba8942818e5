public import EnvelopeFormat

/// What events come to: how many, and how long it took until the handler was called. Opening and images are counted apart from
/// delivery, which takes place in any case.
public struct TelemetryReport: Sendable, Equatable {
    /// The ends of the histogram's classes in milliseconds; the last class has none.
    public static let latencyBounds: [Int64] = [50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 25_000]

    /// A stage's attempts and what became of them.
    public struct Counts<Failure: Hashable & Sendable>: Sendable, Equatable {
        private var begun = 0
        private var withdrawn = 0
        public private(set) var succeeded = 0
        public private(set) var failed: [Failure: Int] = [:]

        public var attempted: Int { max(0, begun - withdrawn) }

        /// How many came to an end.
        private var ended: Int { succeeded + failed.values.reduce(0, +) }
        /// Of how many nothing more was told: under way, or stopped by the system.
        public var unfinished: Int { max(0, attempted - ended) }

        /// Of those that came to an end; nil when none did.
        public var successRate: Double? { ended == 0 ? nil : Double(succeeded) / Double(ended) }

        fileprivate mutating func attempt() { begun += 1 }
        /// There was nothing to attempt.
        fileprivate mutating func withdraw() { withdrawn += 1 }
        fileprivate mutating func succeed() { succeeded += 1 }
        fileprivate mutating func fail(_ failure: Failure) { failed[failure, default: 0] += 1 }
    }

    public private(set) var started = 0
    public private(set) var delivered = 0
    public private(set) var expired = 0
    /// Of what was sealed.
    public private(set) var decryption = Counts<Outcome>()
    /// How many were never sealed: neither a success of decryption nor a failure.
    public private(set) var notSealed = 0
    public private(set) var image = Counts<ImageFailure>()
    /// Why images went as they were fetched, of those that succeeded.
    public private(set) var unscaledImages: [UnscaledReason: Int] = [:]
    /// How many wait, or waited, for an unlock or for the app; the same bytes once.
    public private(set) var deferred = 0
    /// Messages that were to wait and could not, by why: they are lost.
    public private(set) var refused: [DeferredRefusal: Int] = [:]
    /// How many were delivered within each of ``latencyBounds``, and after the last.
    public private(set) var latencies = [Int](repeating: 0, count: latencyBounds.count + 1)
    /// When the first and the last event was, in seconds since 1970; nil without any.
    public private(set) var first: Int64?
    public private(set) var last: Int64?

    public init() {}

    public init(_ lines: some Sequence<TelemetryLine>) {
        for line in lines { add(line) }
    }

    public mutating func add(_ line: TelemetryLine) {
        first = min(first ?? line.time, line.time)
        last = max(last ?? line.time, line.time)
        add(line.event)
    }

    private mutating func add(_ event: TelemetryEvent) {
        switch event {
        case .started: started += 1
        case .expired: expired += 1
        case .decryption(.attempted): decryption.attempt()
        case .decryption(.succeeded): decryption.succeed()
        case .decryption(.failed(.notSealed)):
            notSealed += 1
            decryption.withdraw()
        case .decryption(.failed(let outcome)): decryption.fail(outcome)
        case .image(.attempted): image.attempt()
        case .image(.succeeded(let reason)):
            image.succeed()
            if let reason { unscaledImages[reason, default: 0] += 1 }
        case .image(.failed(let failure)): image.fail(failure)
        case .deferred(let isNew): deferred += isNew ? 1 : 0
        case .refused(let reason): refused[reason, default: 0] += 1
        case .delivered(let time):
            delivered += 1
            let index = Self.latencyBounds.firstIndex { time <= .milliseconds($0) } ?? Self.latencyBounds.count
            latencies[index] += 1
        }
    }
}
