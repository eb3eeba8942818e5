import OpenerNSE

/// Runs every stage at once, one after the other, and has all the time there is.
struct InlineScheduler: StageScheduler {
    var elapsed: Duration { .zero }
    func run(_ job: @escaping @Sendable () -> Void) { job() }
    func runLong(_ job: @escaping @Sendable () -> Void) { job() }
    func run(after delay: Duration, _ job: @escaping @Sendable () -> Void) {}
}
