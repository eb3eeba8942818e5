public import CryptoPrimitives
public import EnvelopeFormat

/// A key of the split profile that a device holds.
public struct SplitKeyRecord: Sendable {
    /// `split:` and 8 hexadecimal digits.
    public let name: String
    public let conversation: ConversationIdentifier
    public let state: KeyState
    /// Past it the key opens nothing.
    public let until: Int64
    public let key: Reading<SymmetricKey>
}
