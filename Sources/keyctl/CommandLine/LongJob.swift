import Glibc

/// A job of many steps: shows its progress on a terminal and stops between two steps at the first interrupt.
///
/// Where each step is a transaction of its own, what is done stays done and the job is resumed by repeating it.
struct LongJob: ~Copyable {
    /// What to do about one that leaves nothing.
    static let startsAnew = "nothing is left of it; repeat it"

    /// To the end: what comes after the last step comes too late, and keeps nobody from being told what was done.
    private let held = HeldSignals(isUntilExit: true)
    private let console: Console
    private let hint: String
    private let showsProgress: Bool
    private var shownAt: time_t = 0

    /// - Parameters:
    ///   - hint: what to do when it was interrupted; nil for repeating it, which does the rest.
    ///   - printsMeanwhile: whether results are printed as they come, which progress shown between them would break up.
    init(_ invocation: Invocation, hint: String? = nil, printsMeanwhile: Bool = false) {
        console = invocation.console
        self.hint = hint ?? (invocation.isDryRun ? Self.startsAnew : "what is done stays; repeat it for the rest")
        showsProgress =
            console.messages.isTerminal && !invocation.has("quiet") && !(printsMeanwhile && console.output.isTerminal)
    }

    /// To be called before each step: false when an interrupt is waiting, which has then been reported.
    /// - Parameters:
    ///   - changed: how many of those that are done were changed; nil for all.
    ///   - hint: what to do now, where it depends on how far it came.
    mutating func goesOn(
        _ what: String, done: Int, changed: Int? = nil, of total: Int? = nil, hint: String? = nil
    ) -> Bool {
        if HeldSignals.isOneWaiting {
            held.forget()
            finish()
            console.report(
                CommandError(
                    .tryAgain, nil, "interrupted after \(changed ?? done) \(what)", hint: hint ?? self.hint))
            return false
        }
        let now = time(nil)
        guard showsProgress, now != shownAt else { return true }
        if shownAt != 0 { show("\r\(what): \(done)\(total.map { " of \($0)" } ?? "")\u{1B}[K") }
        shownAt = now
        return true
    }

    /// Runs a job that asks itself whether it goes on, and fails when it is told that it does not.
    /// - Parameters:
    ///   - hint: what to do when it was interrupted.
    ///   - body: is handed what it asks, with how many are done.
    static func run(
        _ invocation: Invocation, _ what: String, hint: String = startsAnew,
        _ body: ((Int) -> Bool) throws -> Report
    ) throws -> Report {
        var job = LongJob(invocation, hint: hint)
        var isStopped = false
        defer { job.finish() }
        do {
            return try body { done in
                isStopped = !job.goesOn(what, done: done)
                return !isStopped
            }
        } catch {
            guard isStopped else { throw error }
            return .silent(.tryAgain)
        }
    }

    /// Clears the line of progress.
    func finish() { if showsProgress && shownAt != 0 { show("\r\u{1B}[K") } }

    private func show(_ text: String) { try? console.messages.write(Array(text.utf8)) }
}
