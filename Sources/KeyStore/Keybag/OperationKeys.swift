/// The class keys one operation uses: fetched when first needed, wiped when the operation is over.
final class OperationKeys {
    private let source: any ClassKeySource
    private let transaction: any StorageTransaction
    private var fetched: [ClassKeyName: GuardedBytes] = [:]
    private var isOver = false

    init(_ source: any ClassKeySource, _ transaction: any StorageTransaction) {
        self.source = source
        self.transaction = transaction
    }

    /// Keys that are at hand already, as when a store is made or being unlocked.
    init(_ keys: [ClassKeyName: GuardedBytes], _ source: any ClassKeySource, _ transaction: any StorageTransaction) {
        self.source = source
        self.transaction = transaction
        fetched = keys
    }

    /// Lets the keys go; whoever kept the transaction reads and writes nothing more with it.
    func end() {
        fetched = [:]
        isOver = true
    }

    /// Nil when it is locked away.
    func key(_ name: ClassKeyName) throws(KeyStoreError) -> GuardedBytes? {
        guard !isOver else { throw KeyStoreError(.refused, "transaction", "it is over") }
        if let key = fetched[name] { return key }
        let key = try source.fetch(name, in: transaction)
        fetched[name] = key
        return key
    }
}
