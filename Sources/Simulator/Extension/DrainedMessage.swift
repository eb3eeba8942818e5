public import EnvelopeFormat
public import OpenerNSE

/// What became of a message that waited in the shared container, when its app was at the front.
public struct DrainedMessage: Sendable {
    /// Of the request that it came with.
    public let identifier: String
    /// Seconds since 1970.
    public let arrival: Int64
    /// `opened`, or `duplicate` where it opened before and may not have been shown then; else why it shows its placeholder.
    public let outcome: Outcome
    /// What is shown in the place of the placeholder.
    public let text: ShownText
    /// What the message asks of the app's templates and they do not give.
    public let unrendered: [UnrenderedText]

    /// Whether it stays where it is, for another time.
    public var isWaiting: Bool { outcome == .keyLocked || outcome == .storeUnavailable }
}
