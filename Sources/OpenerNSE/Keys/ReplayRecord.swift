public import EnvelopeFormat

/// The messages a device has opened, each kept until its validity is over.
public protocol ReplayRecord: Sendable {
    /// Remembers a message, as one atomic insert: of two concurrent calls exactly one is told `new`.
    ///
    /// - Parameter until: the end of its validity in seconds since 1970; not needed past it.
    func remember(
        _ conversation: ConversationIdentifier, _ message: MessageIdentifier, until: Int64, now: Int64
    ) -> ReplayAnswer
}
