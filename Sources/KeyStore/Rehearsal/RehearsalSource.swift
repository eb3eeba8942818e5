internal import Synchronization

/// The class keys of a store that is only rehearsed: changes are kept to itself.
final class RehearsalSource: ClassKeySource {
    private let base: any ClassKeySource
    /// What was put since, nil for what was evicted.
    private let changes = Mutex<[ClassKeyVersion: GuardedBytes?]>([:])
    /// The timeout in seconds of what was put last, or none.
    private let timeout = Mutex<Int??>(nil)

    init(_ base: any ClassKeySource) { self.base = base }

    func name(in transaction: any StorageTransaction) throws(KeyStoreError) -> String? {
        try base.name(in: transaction)
    }

    func fetch(_ key: ClassKeyVersion, in transaction: any StorageTransaction) throws(KeyStoreError) -> GuardedBytes? {
        if let change = changes.withLock({ $0[key] }) { return change }
        return try base.fetch(key, in: transaction)
    }

    func put(_ keys: ClassKeys, timeout: Int?, in _: any StorageTransaction) throws(KeyStoreError) {
        self.timeout.withLock { $0 = .some(timeout) }
        changes.withLock { changes in
            for (version, key) in keys { changes.updateValue(key, forKey: version) }
        }
    }

    func evict(_ keys: [ClassKeyVersion], in _: any StorageTransaction) throws(KeyStoreError) {
        changes.withLock { changes in
            for version in keys { changes.updateValue(nil, forKey: version) }
        }
    }

    func remaining(
        of keys: [ClassKeyVersion], in transaction: any StorageTransaction
    ) throws(KeyStoreError) -> [ClassKeyVersion] {
        var remaining: [ClassKeyVersion] = []
        for key in keys where try fetch(key, in: transaction) != nil { remaining.append(key) }
        return remaining
    }

    func secondsUntilLock(in transaction: any StorageTransaction) throws(KeyStoreError) -> Int? {
        if let changed = timeout.withLock({ $0 }) { return changed }
        return try base.secondsUntilLock(in: transaction)
    }

    func forgetTimeout(in _: any StorageTransaction) throws(KeyStoreError) { timeout.withLock { $0 = .some(nil) } }

    func rehearsed() -> any ClassKeySource { RehearsalSource(self) }
}
