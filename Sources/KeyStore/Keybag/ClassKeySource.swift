/// Where the class keys of an unlocked store come from. They are asked for at each operation and wiped after it.
protocol ClassKeySource: Sendable {
    /// What holds them, in words for an operator: "kernel keyring", "agent", "key file".
    func name(in transaction: any StorageTransaction) throws(KeyStoreError) -> String
    /// Nil when it is locked away.
    func fetch(_ key: ClassKeyVersion, in transaction: any StorageTransaction) throws(KeyStoreError) -> GuardedBytes?
    func put(_ keys: ClassKeys, in transaction: any StorageTransaction) throws(KeyStoreError)
    func evict(_ keys: [ClassKeyVersion], in transaction: any StorageTransaction) throws(KeyStoreError)
    /// The same for a rehearsal, which keeps what is put and evicted to itself.
    func rehearsed() -> any ClassKeySource
}
