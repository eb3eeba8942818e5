public import EnvelopeFormat

/// What can be asked about the conversation keys of a device, in any lock state.
public protocol KeychainRecords {
    /// Every held epoch of a handle, in any order.
    func epochs(of handle: Handle) throws(KeychainUnavailable) -> [HeldEpoch]

    /// Every held epoch of every handle of a conversation and algorithm.
    func epochs(in conversation: ConversationIdentifier, _ algorithm: KeyAlgorithm) throws(KeychainUnavailable)
        -> [HeldEpoch]

    /// C_n of exactly this `kid`; absent also when its bytes were erased.
    func secret(of kid: KeyIdentifier) throws(KeychainUnavailable) -> Held<ConversationSecret>

    /// At most two: the current key and its predecessor.
    func splitKeys() throws(KeychainUnavailable) -> [HeldSplitKey]

    /// The sequence number of the bundle accepted last, nil before the first.
    func lastSequence() throws(KeychainUnavailable) -> Int64?

    /// Whether a bundle with this SHA-256 was installed before.
    func hasInstalled(digest: [UInt8]) throws(KeychainUnavailable) -> Bool

    /// A number above every ``HeldEpoch/installation`` there is.
    func nextInstallation() throws(KeychainUnavailable) -> Int64
}
