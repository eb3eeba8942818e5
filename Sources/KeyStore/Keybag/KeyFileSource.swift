/// The class keys of a sealer store that knows its key file: it unlocks by itself, and keeps nothing.
struct KeyFileSource: ClassKeySource {
    let store: String
    let keyFile: KeyFile

    let name = "key file"

    func fetch(_ name: ClassKeyName, in transaction: any StorageTransaction) throws(KeyStoreError) -> GuardedBytes? {
        let kek = try keyFile.read()
        return try Keybag(store: store, in: transaction, only: name).classKey(name, keyFile: kek)
    }

    func put(_ keys: [ClassKeyName: GuardedBytes], timeout: Int?) throws(KeyStoreError) {}
    func evict(_ names: [ClassKeyName]) throws(KeyStoreError) {}
    func secondsUntilLock() throws(KeyStoreError) -> Int? { nil }
}
