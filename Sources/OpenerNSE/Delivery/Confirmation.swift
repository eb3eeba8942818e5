/// What is still to be done for a request behind its handler, by whichever thread comes last.
struct Confirmation: Sendable {
    /// What opened in time: it is confirmed as shown.
    var entry: DeferredEntry?
    var hasReturned = false
    /// How many threads are at work for the request.
    var workerCount = 0

    /// The entry, once, when the handler has returned.
    mutating func take() -> DeferredEntry? {
        guard hasReturned else { return nil }
        defer { entry = nil }
        return entry
    }
}
