public import OpenerNSE

/// What became of a message that could not be opened, or shown, when it came: whether its app finds it in the shared container.
public enum Queueing: Sendable, Equatable {
    case queued
    /// The same bytes waited already.
    case alreadyQueued
    case notQueued(DeferredRefusal)
}

extension ExtensionSimulation.Result {
    /// Nil where there was nothing to wait for.
    public var queueing: Queueing? {
        for line in events.reversed() {
            switch line.event {
            case .deferred(let isNew): return isNew ? .queued : .alreadyQueued
            case .refused(let reason): return .notQueued(reason)
            default: continue
            }
        }
        // An extension that cannot even make the queue's directory has none.
        return shown?.outcome == .keyLocked || shown?.outcome == .storeUnavailable ? .notQueued(.storage) : nil
    }
}
