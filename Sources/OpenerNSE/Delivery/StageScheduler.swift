/// Where the stages of a pipeline run, and by which clock; a test decides on both.
public protocol StageScheduler: Sendable {
    /// Time since some moment that stays the same, unmoved by who sets the clock.
    var elapsed: Duration { get }

    /// Runs a job soon, on whatever thread. It may take long.
    func run(_ job: @escaping @Sendable () -> Void)

    /// Runs a short job once that time is over.
    func run(after delay: Duration, _ job: @escaping @Sendable () -> Void)
}
