extension RowCipher {
    /// What a row of the digest says, and the digest's key when it is the root.
    ///
    /// The sums are hidden, as differences of sums that one can read tell which other rows would sum up alike.
    /// - Throws: `.damaged`, `.locked`.
    func openDigest(_ row: StoredRow) throws(KeyStoreError) -> (total: DigestTotal, key: GuardedBytes?) {
        try check(row)
        let record = try Held<DigestRow>(row).record
        let isRoot = record.identifier == DigestRow.rootName
        let key = try integrityKey(row.subject)
        var content = [UInt8](
            repeating: 0, count: DigestSum.byteCount + (isRoot ? KeyedDigest.byteCount : 0))
        defer { SodiumLibrary.wipe(&content) }
        do throws(SodiumError) {
            var failure: SodiumError?
            content.withUnsafeMutableBytes { buffer in
                do throws(SodiumError) {
                    try KeyWrap.unwrap(record.sum, into: buffer, key: key, associatedData: context(ofSum: row))
                } catch { failure = error }
            }
            if let failure { throw failure }
            guard let sum = DigestSum(content.prefix(DigestSum.byteCount)) else { throw .notAuthentic }
            let total = DigestTotal(count: record.count, sum: sum)
            guard isRoot else { return (total, nil) }
            let digestKey = try content.withUnsafeBytes { buffer in
                Result { () throws(SodiumError) in
                    try GuardedBytes(copying: UnsafeRawBufferPointer(rebasing: buffer[DigestSum.byteCount...]))
                }
            }.get()
            return (total, digestKey)
        } catch { throw KeyStoreError(error, row.subject) }
    }

    /// The row with that total written and sealed, as the next version of it.
    /// - Parameter digestKey: for the root.
    func closeDigest(
        _ row: StoredRow, _ total: DigestTotal, _ digestKey: GuardedBytes?
    ) throws(KeyStoreError) -> StoredRow {
        let key = try integrityKey(row.subject)
        var content = total.sum.bytes
        defer { SodiumLibrary.wipe(&content) }
        content.reserveCapacity(DigestSum.byteCount + KeyedDigest.byteCount)
        digestKey?.withBytes { content.append(contentsOf: $0) }
        var row = row
        do throws(SodiumError) {
            let wrapped = try content.withUnsafeBytes { buffer in
                Result { () throws(SodiumError) in
                    try KeyWrap.wrap(buffer, key: key, associatedData: context(ofSum: row))
                }
            }.get()
            row.values = DigestRow(identifier: row.identifier, count: total.count, sum: wrapped).values
        } catch { throw KeyStoreError(error, row.subject) }
        row.version += 1
        try seal(&row)
        return row
    }

    private func context(ofSum row: StoredRow) -> [UInt8] {
        var context = AssociatedData("waxwing key store 1: digest sum")
        context.append(store)
        context.append(row.identifier)
        return context.bytes
    }
}
