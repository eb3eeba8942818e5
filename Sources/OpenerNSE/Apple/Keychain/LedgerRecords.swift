internal import CryptoPrimitives
internal import EnvelopeFormat
internal import OpenerNSE

/// What can be asked of a ledger as it was read, and of the secrets that it names.
struct LedgerRecords: KeychainRecords {
    let ledger: KeychainLedger
    let store: SecItemStore

    func epochs(of handle: Handle) throws(KeychainUnavailable) -> [HeldEpoch] {
        ledger.epochs.map(\.epoch).filter { $0.kid.handle == handle }
    }

    func epochs(in conversation: ConversationIdentifier, _ algorithm: KeyAlgorithm) throws(KeychainUnavailable) -> [HeldEpoch] {
        ledger.epochs.map(\.epoch).filter { $0.conversation == conversation && $0.algorithm == algorithm }
    }

    func secret(of kid: KeyIdentifier) throws(KeychainUnavailable) -> Held<ConversationSecret> {
        guard let item = ledger.entry(kid)?.item else { return .absent }
        switch try store.key(item) {
        case .absent: return .absent
        case .locked: return .locked
        case .value(let key):
            do { return .value(try ConversationSecret(key)) } catch {
                throw KeychainUnavailable(reason: "a secret of a wrong length is held")
            }
        }
    }

    func splitKeys() throws(KeychainUnavailable) -> [HeldSplitKey] {
        var keys: [HeldSplitKey] = []
        for entry in ledger.splitKeys {
            let key: Held<SymmetricKey> = if let item = entry.item { try store.key(item) } else { .absent }
            keys.append(HeldSplitKey(state: entry.state, openUntil: entry.until, key: key))
        }
        return keys
    }

    func lastSequence() throws(KeychainUnavailable) -> Int64? { ledger.lastSequence }

    func hasInstalled(digest: [UInt8]) throws(KeychainUnavailable) -> Bool { ledger.installed.contains(digest) }

    func nextInstallation() throws(KeychainUnavailable) -> Int64 { ledger.nextInstallation }
}
