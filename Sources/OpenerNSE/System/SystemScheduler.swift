internal import Dispatch

/// Stages on threads of the system's, by its clock.
public final class SystemScheduler: StageScheduler {
    private let start = ContinuousClock.now
    private let queue = DispatchQueue(label: "waxwing.stages", attributes: .concurrent)

    public init() {}

    public var elapsed: Duration { start.duration(to: .now) }

    public func run(_ job: @escaping @Sendable () -> Void) { queue.async(execute: job) }

    public func run(after delay: Duration, _ job: @escaping @Sendable () -> Void) {
        let (seconds, attoseconds) = delay.components
        let time = DispatchTimeInterval.nanoseconds(Int(clamping: max(0, seconds)) * 1_000_000_000 + Int(attoseconds / 1_000_000_000))
        queue.asyncAfter(deadline: .now() + time, execute: job)
    }
}
