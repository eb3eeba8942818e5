/// The best that could be delivered now.
struct DeliveryAttempt: Sendable {
    var shown: ShownNotification
    /// Whether an image may still come.
    var awaitsImage = false
}
