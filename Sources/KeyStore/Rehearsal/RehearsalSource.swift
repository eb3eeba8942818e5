internal import Synchronization

/// The class keys of a store that is only rehearsed: changes are kept to itself.
final class RehearsalSource: ClassKeySource {
    private let base: any ClassKeySource
    /// What was put since, nil for what was evicted.
    private let changes = Mutex<[ClassKeyName: GuardedBytes?]>([:])
    /// What a put since set, or an eviction ended: a timeout in seconds, or none.
    private let timeout = Mutex<Int??>(nil)

    init(_ base: any ClassKeySource) { self.base = base }

    var name: String { base.name }

    func fetch(_ name: ClassKeyName, in transaction: any StorageTransaction) throws(KeyStoreError) -> GuardedBytes? {
        if let change = changes.withLock({ $0[name] }) { return change }
        return try base.fetch(name, in: transaction)
    }

    func put(_ keys: [ClassKeyName: GuardedBytes], timeout: Int?) throws(KeyStoreError) {
        self.timeout.withLock { $0 = .some(timeout) }
        changes.withLock { changes in
            for (name, key) in keys { changes.updateValue(key, forKey: name) }
        }
    }

    func evict(_ names: [ClassKeyName]) throws(KeyStoreError) {
        changes.withLock { changes in
            for name in names { changes.updateValue(nil, forKey: name) }
        }
        if names.contains(.whenUnlocked) { timeout.withLock { $0 = .some(nil) } }
    }

    func secondsUntilLock() throws(KeyStoreError) -> Int? {
        if let changed = timeout.withLock({ $0 }) { return changed }
        return try base.secondsUntilLock()
    }
}
