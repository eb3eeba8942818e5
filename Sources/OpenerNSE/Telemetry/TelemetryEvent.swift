public import EnvelopeFormat

/// What an extension tells of itself: nothing of what a notification says, no key, no address, nobody's name.
public enum TelemetryEvent: Sendable, Equatable {
    /// A stage's beginning or end.
    public enum Stage<Failure: Sendable & Hashable>: Sendable, Equatable {
        case attempted
        case succeeded
        case failed(Failure)
    }

    /// A request came.
    case started
    case decryption(Stage<Outcome>)
    case image(Stage<ImageFailure>)
    /// The handler was called, so long after the request came.
    case delivered(after: Duration)
    /// The time was up first.
    case expired
}
