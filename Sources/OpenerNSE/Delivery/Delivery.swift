/// Owns the content handler of one request, and hands it out once.
///
/// It waits with the best attempt so far; then it is decided what is delivered, while the handler has not been called yet; then it
/// has delivered. Whoever is second on either way finds nothing to do, and nobody waits for anybody: who is held up between the
/// two does not hold up the others.
final class Delivery: Sendable {
    private struct Waiting {
        var best: DeliveryAttempt
        var isDecided = false
        let handler: @Sendable (ShownNotification) -> Void
    }

    private let state: Locked<Waiting?>

    /// - Parameter best: what is delivered when nothing better is won.
    init(best: ShownNotification, handler: @escaping @Sendable (ShownNotification) -> Void) {
        state = Locked(Waiting(best: DeliveryAttempt(shown: best), handler: handler))
    }

    /// Whether what comes now comes too late.
    var isDecided: Bool { state.with { $0?.isDecided ?? true } }

    var isDelivered: Bool { state.with { $0 == nil } }

    /// Puts something better in the place of the best attempt; false when it is too late.
    @discardableResult
    func improve(_ change: (inout DeliveryAttempt) -> Void) -> Bool {
        state.with { state in
            guard var waiting = state, !waiting.isDecided else { return false }
            change(&waiting.best)
            state = waiting
            return true
        }
    }

    /// From now on nothing changes what is delivered.
    /// - Returns: what is; nil where that was decided before.
    func decide() -> DeliveryAttempt? {
        state.with { state in
            guard var waiting = state, !waiting.isDecided else { return nil }
            waiting.isDecided = true
            state = waiting
            return waiting.best
        }
    }

    /// Calls the handler with the best attempt, the first time; later calls do nothing.
    /// - Returns: whether it was this call, and the handler has returned.
    func deliver() -> Bool {
        let waiting = state.with { state in
            defer { state = nil }
            return state
        }
        guard let waiting else { return false }
        waiting.handler(waiting.best.shown)
        return true
    }
}
