public import EnvelopeFormat

/// What an extension tells of itself: nothing of what a notification says, no key, no address, nobody's name.
public enum TelemetryEvent: Sendable, Equatable {
    public enum Decryption: Sendable, Equatable {
        case attempted
        case succeeded
        case failed(Outcome)
    }

    public enum Image: Sendable, Equatable {
        case attempted
        /// Attached; with the reason where it is as it was fetched, and not made smaller.
        case succeeded(unscaled: UnscaledReason?)
        /// The notification goes without.
        case failed(ImageFailure)
    }

    /// A request came.
    case started
    case decryption(Decryption)
    case image(Image)
    /// It waits for an unlock, or for the app; it is not new where the same bytes wait already.
    case deferred(isNew: Bool)
    /// It was to wait, and could not.
    case refused(DeferredRefusal)
    /// It was handed to the system, so long after the request came.
    case delivered(after: Duration)
    /// The time was up first.
    case expired
}
