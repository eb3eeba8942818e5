/// Where the class keys of an unlocked store come from. They are asked for at each operation and wiped after it.
protocol ClassKeySource: Sendable {
    /// What holds them, in words for an operator: "kernel keyring", "agent", "key file".
    var name: String { get }
    /// Nil when it is locked away.
    func fetch(_ name: ClassKeyName, in transaction: any StorageTransaction) throws(KeyStoreError) -> GuardedBytes?
    /// - Parameter timeout: after how many seconds those that `lock` takes away go by themselves; nil for never.
    func put(_ keys: [ClassKeyName: GuardedBytes], timeout: Int?) throws(KeyStoreError)
    func evict(_ names: [ClassKeyName]) throws(KeyStoreError)
    /// In how many seconds those that `lock` takes away go; nil when they do not by themselves, or are not there.
    func secondsUntilLock() throws(KeyStoreError) -> Int?
}
