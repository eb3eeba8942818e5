/// Owns the content handler of one request, and hands it out once.
///
/// Two states: it waits with the best attempt so far, or it has delivered. Whoever is second finds nothing to do.
public final class Delivery: Sendable {
    private struct Waiting {
        var best: ShownNotification
        let handler: @Sendable (ShownNotification) -> Void
    }

    private let state: Locked<Waiting?>

    /// - Parameter best: what is delivered when nothing better is won.
    init(best: ShownNotification, handler: @escaping @Sendable (ShownNotification) -> Void) {
        state = Locked(Waiting(best: best, handler: handler))
    }

    public var isDelivered: Bool { state.with { $0 == nil } }

    /// Puts something better in the place of the best attempt; false when it is too late.
    @discardableResult
    func improve(_ change: (inout ShownNotification) -> Void) -> Bool {
        state.with { state in
            guard var waiting = state else { return false }
            change(&waiting.best)
            state = waiting
            return true
        }
    }

    /// Calls the handler with the best attempt, the first time; later calls do nothing.
    /// - Returns: whether it was this call.
    @discardableResult
    func deliver() -> Bool {
        let waiting = state.with { state in
            defer { state = nil }
            return state
        }
        guard let waiting else { return false }
        waiting.handler(waiting.best)
        return true
    }
}
