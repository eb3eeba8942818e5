public import EnvelopeFormat

/// A provisioning bundle that its device has not acknowledged.
public struct PendingBundle: Equatable, Sendable {
    public let sequence: Int64
    public let kid: KeyIdentifier
    public let conversation: ConversationIdentifier
    /// The JWE compact string; the same bytes each time until it is acknowledged or renewed.
    public let bundle: String
}
