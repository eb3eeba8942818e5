internal import Glibc
internal import Synchronization

/// How long a writer waits for others, all in all: what it waited for one lock it does not wait for the next.
final class Patience: Sendable {
    static let standard = Duration.seconds(10)

    /// That of the operation which the thread is at; without one each transaction has its own.
    @TaskLocal private static var ofOperation: Patience?

    /// Short steps: SQLite's own waits grow to a tenth of a second, and one that looks so seldom does not get in beside a
    /// process that writes without a pause; it could wait for as long as that goes on.
    private static let firstStep: UInt32 = 250
    private static let step: UInt32 = 2_000

    private let left: Mutex<Duration>

    init(_ patience: Duration = Patience.standard) { left = Mutex(patience) }

    /// That of the operation, or one for what is about to be done.
    static func forTransaction(_ patience: Duration) -> Patience { ofOperation ?? Patience(patience) }

    /// Has all transactions of the body wait no longer together than one may.
    static func shared<Result>(_ body: () throws(KeyStoreError) -> Result) throws(KeyStoreError) -> Result {
        guard ofOperation == nil else { return try body() }
        return try $ofOperation.withValue(Patience()) {
            Swift.Result { () throws(KeyStoreError) in try body() }
        }.get()
    }

    /// Waits one step; false when it has waited long enough. By the clock, as a step may take several times its length.
    func wait(_ count: Int32) -> Bool {
        guard left.withLock({ $0 > .zero }) else { return false }
        let start = ContinuousClock.now
        usleep(count < 16 ? Self.firstStep : Self.step)
        let waited = start.duration(to: .now)
        left.withLock { $0 -= waited }
        return true
    }
}
