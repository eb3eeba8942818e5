public import EnvelopeFormat

/// One change to what a device holds; the changes of one update are made all or not at all.
public enum KeyChange: Sendable {
    /// A new epoch. One that is there already with the same bytes is success.
    case add(HeldEpoch, ConversationSecret)
    /// Another state or end for an epoch that is held.
    case set(KeyIdentifier, state: KeyState, openUntil: Int64?)
    /// The sequence number of the bundle accepted last.
    case lastSequence(Int64)
    /// SHA-256 of a bundle that was installed, to know it again.
    case installed(digest: [UInt8])
}
