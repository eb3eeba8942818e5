public import EnvelopeFormat

/// What opening came to. Nothing in it is from outside the seal.
public struct Opening: Sendable {
    public let outcome: Outcome
    /// Whether it opened without a record that says it is the first time.
    public let isReplayUnchecked: Bool
    /// The claims to show, when it opened; also of a duplicate, which is shown again without a sound.
    public let content: Content?
    /// What is shown: the claims' text, or the app's own placeholder.
    public let shown: ShownText
    /// The key it names, once it was read so far; nil of a split message.
    public let keyIdentifier: KeyIdentifier?

    /// The content of a message that opened now, and of nothing else.
    public var newContent: Content? { outcome == .opened ? content : nil }
}
