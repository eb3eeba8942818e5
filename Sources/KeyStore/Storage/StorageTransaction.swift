/// What can be done with rows inside one transaction. It judges nothing: seals are checked a layer above.
protocol StorageTransaction: AnyObject {
    func row(_ table: Table, _ identifier: String) throws(KeyStoreError) -> StoredRow?
    /// The rows that match, ordered by name, those at most something by that first, those before a name from the last on;
    /// at most `limit` of them.
    func rows(_ table: Table, _ matches: [Match], limit: Int?) throws(KeyStoreError) -> [StoredRow]
    func count(_ table: Table, _ matches: [Match]) throws(KeyStoreError) -> Int
    /// - Throws: `.alreadyExists` when there is a row of that name.
    func insert(_ row: StoredRow) throws(KeyStoreError)
    /// - Parameter former: the row as it is kept.
    /// - Throws: `.notFound` when there is no row of that name and version.
    func update(_ row: StoredRow, from former: StoredRow) throws(KeyStoreError)
    func delete(_ table: Table, _ identifier: String) throws(KeyStoreError)

    /// The number of the last commit that changed keys or the lock state.
    func generation() throws(KeyStoreError) -> Int64
    func setGeneration(_ generation: Int64) throws(KeyStoreError)
    /// The generation of the last deletion of secrets whose bytes may still be in the files; 0 for none.
    func erasurePending() throws(KeyStoreError) -> Int64
    func setErasurePending(_ generation: Int64) throws(KeyStoreError)

    /// Runs the body so that a throw undoes what it did, and nothing else of this transaction.
    func nested<Result>(_ body: () throws(KeyStoreError) -> Result) throws(KeyStoreError) -> Result
    /// That tables and indexes are those of the migrations, and that each row is found wherever it is to be looked for: no
    /// seal tells of that.
    /// - Throws: `.damaged`.
    func checkStructure() throws(KeyStoreError)
    /// The number of the newest migration applied.
    func schemaVersion() throws(KeyStoreError) -> Int
}
