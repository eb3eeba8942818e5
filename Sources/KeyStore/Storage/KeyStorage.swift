/// Where records are kept: records in, records out, in transactions. One implementation an engine.
protocol KeyStorage: Sendable {
    /// The number of the newest migration applied.
    func schemaVersion() throws(KeyStoreError) -> Int

    /// Runs the body on one consistent state, without writing.
    func read<Result>(
        _ body: (any StorageTransaction) throws(KeyStoreError) -> Result
    ) throws(KeyStoreError) -> Result

    /// Runs the body as the only writer there is; commits when it returns, changes nothing when it throws.
    func write<Result>(
        _ body: (any StorageTransaction) throws(KeyStoreError) -> Result
    ) throws(KeyStoreError) -> Result

    /// Removes the bytes of deleted rows from the files; false when something still in use forbids it now.
    func eraseDeleted() throws(KeyStoreError) -> Bool
}
