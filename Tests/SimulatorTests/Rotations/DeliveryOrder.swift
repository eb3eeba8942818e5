/// When the phone is given the bundles that a rotation issues.
enum DeliveryOrder: String, CaseIterable, Sendable {
    /// As soon as they are there.
    case early
    /// After every push has come and was shown as a placeholder.
    case late
    /// Each a second time, accepted and acknowledged again.
    case twice
    /// The last first, so that those before it are refused and have to be issued anew.
    case outOfOrder
    /// Accepted, but the acknowledgement is lost, and they come again.
    case acknowledgementLost
}
