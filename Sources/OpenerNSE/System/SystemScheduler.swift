internal import Dispatch

/// Stages on threads of the system's, by its clock.
public final class SystemScheduler: StageScheduler {
    private let start = ContinuousClock.now
    private let queue = DispatchQueue(label: "waxwing.stages", attributes: .concurrent)
    /// A class of their own: each has its own threads, and there are only so many.
    private let longQueue = DispatchQueue(label: "waxwing.images", qos: .utility, attributes: .concurrent)
    /// One after the other, on a thread that no other job takes.
    private let timeQueue = DispatchQueue(label: "waxwing.time")

    public init() {}

    public var elapsed: Duration { start.duration(to: .now) }

    public func run(_ job: @escaping @Sendable () -> Void) { queue.async(execute: job) }

    public func runLong(_ job: @escaping @Sendable () -> Void) { longQueue.async(execute: job) }

    public func run(after delay: Duration, _ job: @escaping @Sendable () -> Void) {
        let (seconds, attoseconds) = delay.components
        let time = DispatchTimeInterval.nanoseconds(Int(clamping: max(0, seconds)) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
        timeQueue.asyncAfter(deadline: .now() + time, execute: job)
    }
}
