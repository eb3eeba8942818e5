public import EnvelopeFormat

/// Who and what still depends on a conversation's secrets; no key material.
public struct Census: Equatable, Sendable {
    /// A member, and what it has.
    public struct Member: Equatable, Sendable {
        public let device: DeviceThumbprint
        public let name: String
        /// What it acknowledged last, of the secrets in use.
        public let acknowledged: KeyIdentifier?
        /// The epochs whose bundles it has not acknowledged, lowest sequence number first.
        public let pending: [KeyIdentifier]
    }

    /// A secret, and until when it matters.
    public struct Secret: Equatable, Sendable {
        public let handle: Handle
        public let state: KeyState
        /// The newest epoch.
        public let epoch: Int
        /// What a split key is called.
        public let splitName: String?
        /// The latest time at which something may have been sealed under it; nil before its first seal.
        public let usedUntil: Int64?
        /// Until when the push service may still hold what was sealed under it.
        public let storedUntil: Int64?
        /// Until when devices that follow the backend open it; nil for no end.
        public let openUntil: Int64?
        /// When a waiting secret becomes active by itself.
        public let promoteAt: Int64?
        /// The members that have not acknowledged it, by thumbprint.
        public let notAcknowledged: [DeviceThumbprint]
        /// Why it should not be destroyed now; empty when nothing depends on it, and for what the states do not allow.
        public let dependents: [String]
    }

    public let conversation: ConversationIdentifier
    /// Seconds since 1970: the time of the census.
    public let taken: Int64
    /// By thumbprint.
    public let members: [Member]
    /// In the order in which they were made; of several that ended in one second, by handle.
    public let secrets: [Secret]
    /// Why the secret in use should not be retired now; empty when nothing depends on it.
    public let dependents: [String]
}
