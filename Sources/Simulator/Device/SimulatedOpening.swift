public import EnvelopeFormat
public import KeyStore
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

    /// What is wrong with the store, when that is why it did not open.
    public let failure: KeyStoreError?

    init(_ opening: Opening, unsealed: ShownText, failure: KeyStoreError?) {
        outcome = opening.outcome
        isReplayUnchecked = opening.isReplayUnchecked
        content = opening.newContent
        self.failure = opening.outcome == .storeUnavailable ? failure : nil
        shown = opening.outcome == .notSealed ? unsealed : opening.shown
    }
}
