public import EnvelopeFormat

/// A notification as the system hands it over, as far as the opener looks at it.
public struct IncomingNotification: Sendable {
    /// The request's identifier, by which the app finds the delivered notification again.
    public let identifier: String
    /// What stands under `encrypted_payload`.
    public let sealed: SealedMember
    /// An image in the clear; looked at only for what was never sealed.
    public let imageURL: String?
    /// Seconds since 1970.
    public let arrival: Int64

    public init(identifier: String, sealed: SealedMember, imageURL: String? = nil, arrival: Int64) {
        self.identifier = identifier
        self.sealed = sealed
        self.imageURL = imageURL
        self.arrival = arrival
    }
}

/// It may hold what is for the one who is shown it.
extension IncomingNotification: CustomStringConvertible, CustomReflectable {
    public var description: String { "IncomingNotification" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
