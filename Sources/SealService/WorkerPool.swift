import Glibc
import Synchronization

/// Threads that make answers which take long, and a line of those that wait; who asks too much, or comes when the line is full, is
/// told so at once.
final class WorkerPool: Sendable {
    enum Refusal: Error { case callerHasTooMany, full }

    private struct Line {
        var jobs: [@Sendable () -> Void] = []
        /// Where the next one stands; those before were taken.
        var next = 0
        var ofCaller: [String: Int] = [:]
        var running = 0
        var isClosed = false

        var waiting: Int { jobs.count - next }
    }

    /// A lock and a condition of the C library, which Synchronization has no counterpart of.
    private final class Signal: @unchecked Sendable {
        private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
        private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
        private var line = Line()

        init() {
            pthread_mutex_init(mutex, nil)
            pthread_cond_init(condition, nil)
        }

        deinit {
            pthread_cond_destroy(condition)
            pthread_mutex_destroy(mutex)
            condition.deallocate()
            mutex.deallocate()
        }

        func change<Result, Failure: Error>(_ body: (inout Line) throws(Failure) -> Result) throws(Failure) -> Result {
            pthread_mutex_lock(mutex)
            defer {
                pthread_cond_broadcast(condition)
                pthread_mutex_unlock(mutex)
            }
            return try body(&line)
        }

        /// The next job; nil when there will be none.
        func take() -> (@Sendable () -> Void)? {
            pthread_mutex_lock(mutex)
            defer { pthread_mutex_unlock(mutex) }
            while line.waiting == 0 {
                if line.isClosed { return nil }
                pthread_cond_wait(condition, mutex)
            }
            let job = line.jobs[line.next]
            line.next += 1
            line.running += 1
            if line.next > 1_024 || line.waiting == 0 {
                line.jobs.removeFirst(line.next)
                line.next = 0
            }
            return job
        }
    }

    private let signal = Signal()
    private let queue: Int
    private let mostOfCaller: Int

    /// - Parameters:
    ///   - queue: how many may wait.
    ///   - mostOfCaller: how many of one caller may wait or run.
    init(threads: Int, queue: Int, mostOfCaller: Int) {
        self.queue = queue
        self.mostOfCaller = mostOfCaller
        for _ in 0..<threads { Self.start(signal) }
    }

    deinit { signal.change { $0.isClosed = true } }

    /// How many wait or run.
    var count: Int { signal.change { $0.waiting + $0.running } }

    func run(for caller: String, _ job: @escaping @Sendable () -> Void) throws(Refusal) {
        let signal = signal
        try signal.change { (line) throws(Refusal) in
            guard line.ofCaller[caller, default: 0] < mostOfCaller else { throw .callerHasTooMany }
            guard line.waiting < queue else { throw .full }
            line.ofCaller[caller, default: 0] += 1
            line.jobs.append {
                job()
                signal.change { line in
                    line.running -= 1
                    line.ofCaller[caller, default: 1] -= 1
                    if line.ofCaller[caller] == 0 { line.ofCaller[caller] = nil }
                }
            }
        }
    }

    private static func start(_ signal: Signal) {
        var thread = pthread_t()
        let context = Unmanaged.passRetained(signal).toOpaque()
        let result = pthread_create(
            &thread, nil,
            { context in
                guard let context else { return nil }
                let signal = Unmanaged<Signal>.fromOpaque(context).takeRetainedValue()
                while let job = signal.take() { job() }
                return nil
            }, context)
        precondition(result == 0, "no thread can be started")
        pthread_detach(thread)
    }
}
