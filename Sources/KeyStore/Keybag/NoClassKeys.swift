/// No class keys but those at hand already.
struct NoClassKeys: ClassKeySource {
    let name = "none"

    func fetch(_: ClassKeyName, in _: any StorageTransaction) throws(KeyStoreError) -> GuardedBytes? { nil }
    func put(_: [ClassKeyName: GuardedBytes]) throws(KeyStoreError) {}
    func evict(_: [ClassKeyName]) throws(KeyStoreError) {}
}
