extension Store {
    /// Runs the body on this store as it would be, in one transaction that is rolled back: nothing stays of it, in no
    /// file, with no session holder, and no other process sees it. Other writers wait meanwhile.
    ///
    /// The body is handed a store of its own to work on; it and what was made of it are of no use afterwards.
    public func rehearse<Result>(_ body: (Store) throws -> Result) throws -> Result {
        try generation.revalidate()
        var outcome: Swift.Result<Result, any Error>?
        do {
            try storage.write { (rows) throws(KeyStoreError) in
                outcome = Swift.Result { try body(Store(rehearsing: self, in: rows)) }
                throw Self.rollback
            }
        } catch {
            guard error == Self.rollback, let outcome else { throw error }
            return try outcome.get()
        }
        throw Self.rollback
    }

    private static let rollback = KeyStoreError(.refused, "rehearsal", "it is over")
}
