/// The storage of a store that is only rehearsed: everything happens inside one transaction of the real one.
final class RehearsalStorage: KeyStorage, @unchecked Sendable {
    private let transaction: any StorageTransaction
    private let lock = ThreadLock()

    init(_ transaction: any StorageTransaction) {
        self.transaction = transaction
    }

    func schemaVersion() throws(KeyStoreError) -> Int { try transaction.schemaVersion() }

    func read<Result>(
        _ body: (any StorageTransaction) throws(KeyStoreError) -> Result
    ) throws(KeyStoreError) -> Result {
        try lock.with { () throws(KeyStoreError) in try body(transaction) }
    }

    func write<Result>(
        _ body: (any StorageTransaction) throws(KeyStoreError) -> Result
    ) throws(KeyStoreError) -> Result {
        try lock.with { () throws(KeyStoreError) in
            try transaction.nested { () throws(KeyStoreError) in try body(transaction) }
        }
    }

    /// The files are left alone.
    func eraseDeleted() throws(KeyStoreError) -> Bool { false }
}
