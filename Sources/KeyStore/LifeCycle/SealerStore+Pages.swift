public import EnvelopeFormat

/// Lists in parts: there may be a million, and nothing here loads them all.
extension SealerStore {
    /// The most that one call returns.
    public static let pageLimit = 10_000

    /// The conversations whose names come after that one, by name.
    /// - Parameters:
    ///   - name: the last of the page before; nil for the first page.
    ///   - limit: how many at most, up to ``pageLimit``.
    public func conversations(
        after name: ConversationIdentifier? = nil, limit: Int = 1_000
    ) throws(KeyStoreError) -> [ConversationRecord] {
        let limit = try Self.checked(limit)
        return try read { (life) throws(KeyStoreError) in
            var records: [ConversationRecord] = []
            for row in try life.page(ConversationRow.self, after: name?.string, limit) {
                records.append(try life.record(of: try life.conversation(row)))
            }
            return records
        }
    }

    /// The enrolled devices whose thumbprints come after that one, by thumbprint.
    /// - Parameters:
    ///   - thumbprint: the last of the page before; nil for the first page.
    ///   - limit: how many at most, up to ``pageLimit``.
    public func devices(
        after thumbprint: DeviceThumbprint? = nil, limit: Int = 1_000
    ) throws(KeyStoreError) -> [DeviceRecord] {
        let limit = try Self.checked(limit)
        return try read { (life) throws(KeyStoreError) in
            var records: [DeviceRecord] = []
            for row in try life.page(DeviceRow.self, after: thumbprint?.string, limit) {
                records.append(try life.record(of: row.record))
            }
            return records
        }
    }

    /// The number of conversations there are.
    public func conversationCount() throws(KeyStoreError) -> Int {
        try read { (life) throws(KeyStoreError) in try life.rows.storage.count(.conversation, []) }
    }

    private static func checked(_ limit: Int) throws(KeyStoreError) -> Int {
        guard (1...pageLimit).contains(limit) else {
            throw KeyStoreError(.badInput, "page", "it has 1 to \(pageLimit) entries")
        }
        return limit
    }
}

extension LifeCycle {
    /// The rows that come after that name, in the order of names.
    func page<R: Record>(_: R.Type, after name: String?, _ limit: Int) throws(KeyStoreError) -> [Held<R>] {
        if let name { return try rows.all(R.self, .after(name), limit: limit) }
        return try rows.all(R.self, limit: limit)
    }
}
