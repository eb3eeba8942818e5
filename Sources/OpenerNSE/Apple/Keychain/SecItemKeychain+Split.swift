internal import CryptoPrimitives
internal import EnvelopeFormat
internal import Foundation
internal import OpenerNSE

extension SecItemKeychain {
    /// Keeps a key of the split profile; of three that open the oldest goes. The same key again changes nothing.
    /// - Returns: false where it is held for another conversation or until another time, is the secret of an epoch, or was given
    ///   up; nothing has changed then.
    /// - Throws: locked also where an epoch's secret cannot be compared with it now.
    func add(_ document: SplitKeyDocument) throws(KeychainUnavailable) -> Bool {
        try whileLocked { () throws(KeychainUnavailable) in
            var ledger = try ledger()
            let name = LedgerSplitKey.name(of: document.key)
            if let held = ledger.splitKeys.first(where: { $0.name == name }) {
                return held.state.opens && held.conversation == document.conversation && held.until == document.until
            }
            guard try !isSecretOfAnEpoch(document.key, in: ledger) else { return false }
            let item = UUID().uuidString
            try store.add(item, document.key, Self.ownClass)
            ledger.add(
                LedgerSplitKey(name: name, conversation: document.conversation, until: document.until, item: item))
            try replace(ledger)
            return true
        }
    }

    /// Gives up all that is held of a conversation: nothing of it opens any more, and no bundle or file brings it back.
    func revoke(_ conversation: ConversationIdentifier) throws(KeychainUnavailable) {
        try whileLocked { () throws(KeychainUnavailable) in
            var ledger = try ledger()
            ledger.revoke(conversation)
            try replace(ledger)
        }
    }

    /// A key of one profile never serves the other.
    private func isSecretOfAnEpoch(_ key: SymmetricKey, in ledger: KeychainLedger) throws(KeychainUnavailable) -> Bool {
        for item in ledger.epochs.compactMap(\.item) {
            switch try store.key(item) {
            case .value(let secret): if constantTimeEqual(secret, key) { return true }
            case .locked: throw KeychainUnavailable(reason: "a secret that it has to be compared with is locked", isLocked: true)
            case .absent: continue
            }
        }
        return false
    }
}
