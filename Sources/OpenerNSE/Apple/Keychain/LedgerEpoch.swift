internal import OpenerNSE

/// An epoch in the ledger, and which item of the keychain has its secret.
struct LedgerEpoch: Sendable, Equatable {
    var epoch: HeldEpoch
    /// nil once the bytes are erased.
    var item: String?
}
