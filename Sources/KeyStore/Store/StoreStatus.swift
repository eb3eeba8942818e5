public import EnvelopeFormat

/// What a store says of itself; no key material.
public struct StoreStatus: Sendable {
    /// How many records there are of each kind that an operator knows.
    public struct Counts: Equatable, Sendable {
        public var devices = 0, conversations = 0, handles = 0, pendingBundles = 0
        public var heldEpochs = 0, replayRecords = 0, splitKeys = 0, items = 0
    }

    /// The audit log, as far as it says itself.
    public struct Audit: Equatable, Sendable {
        /// 32 hexadecimal digits.
        public let log: String
        public let entries: Int64
        /// Ed25519, 32 bytes.
        public let checkpointKey: [UInt8]
    }

    public let role: StoreRole
    public let identifier: String
    public let accessGroup: String
    public let lockState: LockState
    /// In how many seconds it locks itself; nil when it will not.
    public let secondsUntilLock: Int?
    /// What holds the class keys: "kernel keyring", "agent" or "key file"; nil when nothing does.
    public let sessionHolder: String?
    public let schemaVersion: Int
    public let counts: Counts
    /// Whether bytes of deleted secrets may still be in the files; the next writer tries again to remove them.
    public let erasurePending: Bool
    /// When the oldest bundle nobody acknowledged was issued; nil without one or when locked.
    public let oldestPendingBundle: Int64?
    /// Nil when it cannot be told whether somebody changed it.
    public let audit: Audit?
    /// The number of rows whose seal was checked; nil without `verify`.
    public let verifiedRows: Int?
    /// How it stands to its anchor; nil without one, or when locked.
    public let anchor: AnchorReport?
}
