/// What became of a notification in the queue once it is known what opening it came to.
enum DeferredSettlement {
    /// It opened in time, and is finished once it was shown.
    case underWay(DeferredEntry)
    /// It waits, or need not.
    case settled
    /// It should wait, and does not.
    case refused(DeferredRefusal)
}
