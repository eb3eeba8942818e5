import KeyStore
import OpenerNSE
import Synchronization

/// What was wrong with a store while the opener worked on it: its own outcome has room for no reason.
final class StoreTrouble: Sendable {
    private let error = Mutex<KeyStoreError?>(nil)

    /// The first error there was.
    var first: KeyStoreError? { error.withLock { $0 } }

    /// The same in the opener's words; what came first is kept.
    func note(_ new: KeyStoreError) -> KeychainUnavailable {
        error.withLock { if $0 == nil { $0 = new } }
        return KeychainUnavailable(reason: new.description, isLocked: new.kind == .locked)
    }
}

extension KeyStoreError {
    /// What ends a transaction when the opener's rules could not ask further.
    init(_ unavailable: KeychainUnavailable) {
        self.init(unavailable.isLocked ? .locked : .unavailable, "keychain", unavailable.reason)
    }
}
