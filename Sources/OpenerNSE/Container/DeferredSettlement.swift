/// What became of a notification in the queue once it is known what opening it came to.
enum DeferredSettlement {
    /// It opened in time, and is finished once it was shown.
    case underWay(DeferredEntry)
    /// It waits; it is not new where the same bytes wait already.
    case queued(isNew: Bool)
    /// It need not wait.
    case settled
    /// It should wait, and does not.
    case refused(DeferredRefusal)
}
