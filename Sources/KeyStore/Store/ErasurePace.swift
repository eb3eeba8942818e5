internal import Synchronization

/// When the bytes of deleted secrets leave the files. That they have not yet is recorded with each commit that deletes, and
/// tried again by later writers; here is only how often, since each time costs about what a commit does.
final class ErasurePace: Sendable {
    /// Who could erase now.
    enum Eraser {
        /// Who has just deleted: at once.
        case shredder
        /// A job that deletes with every transaction: once a second, and with its last one as a shredder.
        case job
        /// Who writes something else and finds that it was left to do. A job that is under way sees to it itself.
        case passerBy
    }

    private static let interval = Duration.seconds(1)
    private static let patience = Duration.seconds(2)

    private struct State {
        var erased: ContinuousClock.Instant?
        /// The number of the deletion that was pending when last looked, and since when it was that one.
        var seen: (pending: Int64, since: ContinuousClock.Instant)?
    }

    private let state = Mutex(State())

    func isDue(_ pending: Int64, for eraser: Eraser) -> Bool {
        let now = ContinuousClock.now
        return state.withLock { state in
            switch eraser {
            case .shredder: return true
            case .job:
                guard let erased = state.erased else {
                    state.erased = now
                    return false
                }
                return now - erased >= Self.interval
            case .passerBy:
                guard let seen = state.seen else { return true }
                if seen.pending == pending { return now - seen.since >= Self.patience }
                state.seen = (pending, now)
                return false
            }
        }
    }

    /// It could not be done: whoever writes next tries again.
    func noteFailure() { state.withLock { $0.seen = nil } }

    /// It was done, for everything deleted up to that number.
    func noteErasure(_ pending: Int64) {
        let now = ContinuousClock.now
        state.withLock { state in
            state.erased = now
            state.seen = (pending, now)
        }
    }
}
