import OpenerNSE

/// A scheduler that runs one job at a time, and asks at every point which one: all answers together are all interleavings.
///
/// What blocks calls ``pause()``, in which other jobs may run. One thread uses it.
final class ChoosingScheduler: StageScheduler {
    private struct State {
        var jobs: [@Sendable () -> Void] = []
        var script: [Int]
        /// What was chosen, and out of how many.
        var choices: [(taken: Int, of: Int)] = []
    }

    private let state: Mutex<State>
    private let isTimeEndless: Bool

    /// - Parameter isTimeEndless: whether no time is ever over.
    init(script: [Int] = [], isTimeEndless: Bool = false) {
        state = Mutex(State(script: script))
        self.isTimeEndless = isTimeEndless
    }

    var elapsed: Duration { .zero }

    func run(_ job: @escaping @Sendable () -> Void) { state.withLock { $0.jobs.append(job) } }

    func runLong(_ job: @escaping @Sendable () -> Void) { run(job) }

    /// Any time is over at any point.
    func run(after delay: Duration, _ job: @escaping @Sendable () -> Void) {
        if !isTimeEndless { run(job) }
    }

    /// Runs until nothing is left.
    func finish() {
        while step(mayPass: false) {}
    }

    /// Where a stage waits for something: any of the others may run, none, or several.
    func pause() {
        while step(mayPass: true) {}
    }

    /// - Returns: false when nothing was left, or nothing was chosen.
    private func step(mayPass: Bool) -> Bool {
        let job = state.withLock { state -> (@Sendable () -> Void)? in
            let options = state.jobs.count + (mayPass ? 1 : 0)
            guard !state.jobs.isEmpty else { return nil }
            let at = state.choices.count
            let taken = at < state.script.count ? state.script[at] : 0
            state.choices.append((taken, options))
            guard taken < state.jobs.count else { return nil }
            return state.jobs.remove(at: taken)
        }
        guard let job else { return false }
        job()
        return true
    }

    /// The script of the next interleaving; nil after the last.
    var next: [Int]? {
        state.withLock { state in
            var taken = state.choices
            while let last = taken.popLast() {
                if last.taken + 1 < last.of { return taken.map(\.taken) + [last.taken + 1] }
            }
            return nil
        }
    }

    /// Runs the body under every interleaving of what it has run.
    /// - Returns: how many there were.
    static func everyInterleaving(_ body: (ChoosingScheduler) throws -> Void) rethrows -> Int {
        var count = 0
        var script: [Int]? = []
        while let chosen = script {
            let scheduler = ChoosingScheduler(script: chosen)
            try body(scheduler)
            count += 1
            script = scheduler.next
        }
        return count
    }
}
