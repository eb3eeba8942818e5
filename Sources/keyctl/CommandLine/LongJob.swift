import Glibc

/// A job of many steps: shows its progress on a terminal and stops between two steps at the first interrupt.
///
/// Each step is a transaction of its own, so what is done stays done and the job is resumed by repeating it.
struct LongJob: ~Copyable {
    private let held = HeldSignals()
    private let console: Console
    private let showsProgress: Bool
    private var shownAt: time_t = 0

    init(_ invocation: Invocation) {
        console = invocation.console
        showsProgress = console.messages.isTerminal && !invocation.has("quiet")
    }

    /// To be called before each step: false when an interrupt is waiting, which has then been reported.
    /// - Parameter changed: how many of those that are done were changed; nil for all.
    mutating func goesOn(
        _ what: String, done: Int, changed: Int? = nil, of total: Int? = nil,
        hint: String = "what is done stays; repeat it for the rest"
    ) -> Bool {
        if held.isOneWaiting {
            held.forget()
            finish()
            console.report(
                CommandError(
                    .tryAgain, nil, "interrupted after \(changed ?? done) \(what)",
                    hint: hint))
            return false
        }
        let now = time(nil)
        guard showsProgress, now != shownAt else { return true }
        if shownAt != 0 { show("\r\(what): \(done)\(total.map { " of \($0)" } ?? "")\u{1B}[K") }
        shownAt = now
        return true
    }

    /// Runs a job that is done whole or not at all.
    /// - Parameter body: is handed what asks whether it goes on, with how many are done; it throws when told to end.
    static func allOrNothing(
        _ invocation: Invocation, _ what: String, _ body: ((Int) -> Bool) throws -> Report
    ) throws -> Report {
        var job = LongJob(invocation)
        var isStopped = false
        defer { job.finish() }
        do {
            return try body { done in
                isStopped = !job.goesOn(what, done: done, hint: "nothing is left of it; repeat it")
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
