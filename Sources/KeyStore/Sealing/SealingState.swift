public import CryptoPrimitives
public import EnvelopeFormat

/// What sealing to a conversation needs, good as long as the generation stays at ``generation``.
public struct SealingState: Sendable {
    /// The key material of the active epoch.
    public enum Secret: Sendable {
        case conversation(ConversationSecret)
        /// The key of the split profile, used as is.
        case split(SymmetricKey)
    }

    /// A device to seal to.
    public struct Member: Sendable {
        public let thumbprint: DeviceThumbprint
        public let publicKey: P256.KeyAgreement.PublicKey
    }

    /// After so many seals under one key the next epoch comes by itself.
    public static let sealsOfAnEpoch = Cryptoperiod.ratchetAtSeals

    public let conversation: ConversationIdentifier
    public let algorithm: KeyAlgorithm
    public let kid: KeyIdentifier
    public let secret: Secret
    /// Empty for `split`.
    public let members: [Member]
    /// After this time sealing is refused.
    public let until: Int64?
    /// When the epoch will be too old, or the store locks itself; ask anew then, and it is ratcheted, or refused.
    public let renewAt: Int64?
    /// Read before anything else; to be cached only if it is settled.
    public let generation: Generation.Stamp
}

extension SealingState: CustomStringConvertible, CustomReflectable {
    public var description: String { "SealingState \(conversation) \(kid)" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
