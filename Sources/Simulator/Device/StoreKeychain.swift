import CryptoPrimitives
import EnvelopeFormat
import KeyStore
import OpenerNSE

/// A device store as the opener's keychain.
struct StoreKeychain: DeviceKeychain {
    let store: DeviceStore
    let now: Int64
    /// Whether changes are made; without, everything is judged as if.
    let keepsChanges: Bool
    /// The access group that is looked in; nil for the store's.
    var accessGroup: String?
    let trouble = StoreTrouble()

    /// As `SecItem` does: whoever is not in the access group has no answer, whatever there is and in every lock state.
    private func requireMembership() throws(KeychainUnavailable) {
        guard let accessGroup, accessGroup != store.store.accessGroup else { return }
        throw trouble.note(
            KeyStoreError(
                .permission, accessGroup, "this is the extension's access group, and the phone's keys are in \(store.store.accessGroup)",
                hint: "compare keychain-access-groups in the entitlements of the app and of its extension"))
    }

    func thumbprint() throws(KeychainUnavailable) -> DeviceThumbprint? {
        try requireMembership()
        do { return try store.identityThumbprint() } catch { throw trouble.note(error) }
    }

    func deviceKey() throws(KeychainUnavailable) -> Held<P256.KeyAgreement.PrivateKey> {
        try requireMembership()
        return try store.deviceKey().held(trouble)
    }

    func enrollmentSecret() throws(KeychainUnavailable) -> Held<SymmetricKey> {
        try requireMembership()
        return try store.enrollmentSecret().held(trouble)
    }

    func update<Result>(
        _ body: (any KeychainRecords) throws(KeychainUnavailable) -> (Result, [KeyChange])
    ) throws(KeychainUnavailable) -> Result {
        try requireMembership()
        do throws(KeyStoreError) {
            return try store.transaction(now: now) { (transaction: DeviceTransaction) throws(KeyStoreError) -> Result in
                let records = StoreRecords(transaction: transaction, trouble: trouble)
                let changed: (result: Result, changes: [KeyChange])
                do throws(KeychainUnavailable) { changed = try body(records) } catch {
                    throw KeyStoreError(error)
                }
                if keepsChanges, !changed.changes.isEmpty {
                    try records.apply(changed.changes)
                    try transaction.eraseEnded()
                }
                return changed.result
            }
        } catch {
            throw trouble.note(error)
        }
    }

    func epochs(of handle: Handle) throws(KeychainUnavailable) -> [HeldEpoch] {
        try reading { records throws(KeychainUnavailable) in try records.epochs(of: handle) }
    }

    func epochs(in conversation: ConversationIdentifier, _ algorithm: KeyAlgorithm) throws(KeychainUnavailable)
        -> [HeldEpoch]
    {
        try reading { records throws(KeychainUnavailable) in try records.epochs(in: conversation, algorithm) }
    }

    func secret(of kid: KeyIdentifier) throws(KeychainUnavailable) -> Held<ConversationSecret> {
        try reading { records throws(KeychainUnavailable) in try records.secret(of: kid) }
    }

    func splitKeys() throws(KeychainUnavailable) -> [HeldSplitKey] {
        try reading { records throws(KeychainUnavailable) in try records.splitKeys() }
    }

    func lastSequence() throws(KeychainUnavailable) -> Int64? {
        try reading { records throws(KeychainUnavailable) in try records.lastSequence() }
    }

    func hasInstalled(digest: [UInt8]) throws(KeychainUnavailable) -> Bool {
        try reading { records throws(KeychainUnavailable) in try records.hasInstalled(digest: digest) }
    }

    func nextInstallation() throws(KeychainUnavailable) -> Int64 {
        try reading { records throws(KeychainUnavailable) in try records.nextInstallation() }
    }

    func isSplitAllowed() throws(KeychainUnavailable) -> Bool {
        try reading { records throws(KeychainUnavailable) in try records.isSplitAllowed() }
    }

    private func reading<Result>(
        _ body: (StoreRecords) throws(KeychainUnavailable) -> Result
    ) throws(KeychainUnavailable) -> Result {
        try requireMembership()
        do throws(KeyStoreError) {
            return try store.reading { (transaction: DeviceTransaction) throws(KeyStoreError) -> Result in
                do throws(KeychainUnavailable) { return try body(StoreRecords(transaction: transaction, trouble: trouble)) } catch {
                    throw KeyStoreError(error)
                }
            }
        } catch {
            throw trouble.note(error)
        }
    }
}
