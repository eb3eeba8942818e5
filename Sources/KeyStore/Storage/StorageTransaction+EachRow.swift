extension StorageTransaction {
    private static var rowsAtOnce: Int { 1_000 }

    /// Hands every row of a table to the body, in order, a thousand at a time in memory.
    func eachRow(of table: Table, _ body: (StoredRow) throws(KeyStoreError) -> Void) throws(KeyStoreError) {
        var last: String?
        while true {
            let rows = try rows(table, last.map { [Match.after($0)] } ?? [], limit: Self.rowsAtOnce)
            for row in rows { try body(row) }
            guard rows.count == Self.rowsAtOnce else { return }
            last = rows.last?.identifier
        }
    }
}
