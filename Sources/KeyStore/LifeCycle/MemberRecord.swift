public import EnvelopeFormat

/// A member of a conversation.
public struct MemberRecord: Equatable, Sendable {
    public let device: DeviceThumbprint
    public let name: String
    /// What it acknowledged last, of the secrets in use.
    public let acknowledged: KeyIdentifier?
}
