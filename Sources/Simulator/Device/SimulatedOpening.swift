public import EnvelopeFormat
public import OpenerNSE

/// What a simulated phone shows for a payload.
public struct SimulatedOpening: Sendable {
    public let outcome: Outcome
    /// Whether it opened without a record that says it is the first time.
    public let isReplayUnchecked: Bool
    /// The claims, of a message that opened now and of nothing else.
    public let content: Content?
    /// The claims' text, the app's placeholder, or for a push that was never sealed the text it came with.
    public let shown: ShownText

    init(_ opening: Opening, unsealed: ShownText) {
        outcome = opening.outcome
        isReplayUnchecked = opening.isReplayUnchecked
        content = opening.newContent
        shown = opening.outcome == .notSealed ? unsealed : opening.shown
    }
}
