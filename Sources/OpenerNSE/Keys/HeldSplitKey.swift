public import CryptoPrimitives
public import EnvelopeFormat

/// A key of the split profile on a device: the current one or its predecessor.
public struct HeldSplitKey: Sendable {
    public let state: KeyState
    /// Seconds since 1970; at it the key still opens. nil: no end.
    public let openUntil: Int64?
    public let key: Held<SymmetricKey>

    public init(state: KeyState, openUntil: Int64?, key: Held<SymmetricKey>) {
        self.state = state
        self.openUntil = openUntil
        self.key = key
    }
}
