/// Where the stages of a pipeline run, and by which clock; a test decides on both.
public protocol StageScheduler: Sendable {
    /// Time since some moment that stays the same, unmoved by who sets the clock.
    var elapsed: Duration { get }

    /// Runs a job soon, on whatever thread. It waits for nobody but keys and files.
    func run(_ job: @escaping @Sendable () -> Void)

    /// Runs a job that may take long, as it waits for a network. However many there are, they hold up none of the others.
    func runLong(_ job: @escaping @Sendable () -> Void)

    /// Runs a short job once that time is over.
    func run(after delay: Duration, _ job: @escaping @Sendable () -> Void)
}
