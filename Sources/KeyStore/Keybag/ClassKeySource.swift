/// Where the class keys of an unlocked store come from. They are asked for at each operation and wiped after it.
protocol ClassKeySource: Sendable {
    /// What holds them, in words for an operator: "kernel keyring", "agent", "key file"; nil when nothing does.
    func name(in transaction: any StorageTransaction) throws(KeyStoreError) -> String?
    /// Nil when it is locked away.
    func fetch(_ key: ClassKeyVersion, in transaction: any StorageTransaction) throws(KeyStoreError) -> GuardedBytes?
    /// - Parameter timeout: after how many seconds those that `lock` takes away go by themselves; nil for never.
    func put(_ keys: ClassKeys, timeout: Int?, in transaction: any StorageTransaction) throws(KeyStoreError)
    func evict(_ keys: [ClassKeyVersion], in transaction: any StorageTransaction) throws(KeyStoreError)
    /// Which of the keys an eviction left behind, wherever they were put.
    func remaining(
        of keys: [ClassKeyVersion], in transaction: any StorageTransaction
    ) throws(KeyStoreError) -> [ClassKeyVersion]
    /// Those that are known to be there, whoever put them. There may be others.
    func listed(in transaction: any StorageTransaction) throws(KeyStoreError) -> [ClassKeyVersion]
    /// In how many seconds those that `lock` takes away go, if they are there; nil when they do not by themselves.
    func secondsUntilLock(in transaction: any StorageTransaction) throws(KeyStoreError) -> Int?
    /// Lets go of the time that was set with ``put(_:timeout:in:)``, when what it was for was evicted.
    func forgetTimeout(in transaction: any StorageTransaction) throws(KeyStoreError)
    /// The same for a rehearsal, which keeps what is put and evicted to itself.
    func rehearsed() -> any ClassKeySource
}

extension ClassKeySource {
    func listed(in _: any StorageTransaction) throws(KeyStoreError) -> [ClassKeyVersion] { [] }

    /// The timeout of further keys beside those that are there, so that they go together.
    func timeoutOfFurther(in transaction: any StorageTransaction) throws(KeyStoreError) -> Int? {
        try secondsUntilLock(in: transaction).map { max(1, $0) }
    }
}
