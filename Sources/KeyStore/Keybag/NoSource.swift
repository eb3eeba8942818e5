/// No keys but those at hand.
struct NoSource: ClassKeySource {
    func name(in _: any StorageTransaction) throws(KeyStoreError) -> String? { nil }
    func fetch(_: ClassKeyVersion, in _: any StorageTransaction) throws(KeyStoreError) -> GuardedBytes? { nil }
    func put(_: ClassKeys, timeout: Int?, in _: any StorageTransaction) throws(KeyStoreError) {}
    func evict(_: [ClassKeyVersion], in _: any StorageTransaction) throws(KeyStoreError) {}
    func remaining(
        of _: [ClassKeyVersion], in _: any StorageTransaction
    ) throws(KeyStoreError) -> [ClassKeyVersion] { [] }
    func secondsUntilLock(in _: any StorageTransaction) throws(KeyStoreError) -> Int? { nil }
    func forgetTimeout(in _: any StorageTransaction) throws(KeyStoreError) {}
    func rehearsed() -> any ClassKeySource { self }
}
