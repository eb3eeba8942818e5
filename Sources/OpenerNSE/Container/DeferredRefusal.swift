/// Why a message that was to wait could not: it showed the placeholder, and is lost.
public enum DeferredRefusal: String, Error, Sendable, CaseIterable {
    /// There is no room in the queue for it.
    case full
    /// There is no queue, or it could not be written.
    case storage
}
