import OpenerNSE

/// The system's threads by a clock that runs faster, so that a test need not wait for half a minute.
struct ScaledScheduler: StageScheduler {
    let system = SystemScheduler()
    /// How many seconds of this clock one second is.
    let scale: Int

    var elapsed: Duration { system.elapsed * scale }

    func run(_ job: @escaping @Sendable () -> Void) { system.run(job) }

    func runLong(_ job: @escaping @Sendable () -> Void) { system.runLong(job) }

    func run(after delay: Duration, _ job: @escaping @Sendable () -> Void) { system.run(after: delay / scale, job) }
}
