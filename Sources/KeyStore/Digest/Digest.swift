/// The digest over all rows inside one transaction (docs/decisions/0011-digest-and-anchor.md): a sum in shards of what each
/// row is, and a root over the shards, so that a row or a shard that is gone, or older than it should be, does not fit.
struct Digest {
    private let storage: any StorageTransaction
    private let cipher: RowCipher
    private let key: DigestKey
    private var root: (row: StoredRow, total: DigestTotal)

    /// Reads the root.
    /// - Throws: `.damaged` when it is not there or not as it was written, `.locked`.
    init(_ transaction: RecordTransaction) throws(KeyStoreError) {
        storage = transaction.storage
        cipher = transaction.cipher
        guard let row = try storage.row(.digest, DigestRow.rootName) else {
            throw KeyStoreError(.damaged, "row digest/root", "it is not there")
        }
        let (total, key) = try cipher.openDigest(row)
        guard let key else { throw KeyStoreError(.damaged, row.subject, "it holds no key") }
        root = (row, total)
        self.key = DigestKey(store: cipher.store, bytes: key)
    }

    /// Founds the digest of a store that has none, over the rows there are. Each of them must hold.
    static func found(_ transaction: RecordTransaction, _ goesOn: (Int) -> Bool) throws(KeyStoreError) {
        let (storage, cipher) = (transaction.storage, transaction.cipher)
        let row = StoredRow(table: .digest, identifier: DigestRow.rootName, version: 0, values: [])
        let key: GuardedBytes
        do { key = try GuardedBytes(randomCount: KeyedDigest.byteCount) } catch {
            throw KeyStoreError(error, row.subject)
        }
        try storage.insert(try cipher.closeDigest(row, DigestTotal(), key))
        var digest = try Digest(transaction)
        var totals = DigestTotals()
        var count = 0
        for table in Table.allCases where table != .digest {
            try storage.eachRow(of: table) { (row) throws(KeyStoreError) in
                if count.isMultiple(of: 1_000), !goesOn(count) { throw .interrupted }
                count += 1
                try cipher.check(row)
                totals.add(try digest.key.element(of: row), to: DigestShard(of: row))
            }
        }
        try digest.write(totals)
    }

    /// Counts what a transaction changed: each shard is written once, and the root last.
    mutating func count(_ changes: RowChanges) throws(KeyStoreError) {
        var totals = DigestTotals()
        for (row, change) in changes.all where change.before != change.after {
            let shard = DigestShard(of: row.identifier, in: row.table)
            if let seal = change.before { totals.remove(try key.element(row, sealed: seal), from: shard) }
            if let seal = change.after { totals.add(try key.element(row, sealed: seal), to: shard) }
        }
        try write(totals)
    }

    /// What a row adds to its shard.
    func element(of row: StoredRow) throws(KeyStoreError) -> DigestSum { try key.element(of: row) }

    /// What a shard, or the root, says.
    func total(of shard: DigestShard) throws(KeyStoreError) -> DigestTotal? {
        guard shard != .root else { return root.total }
        guard let row = try storage.row(.digest, shard.name) else { return nil }
        return try cipher.openDigest(row).total
    }

    private mutating func write(_ totals: DigestTotals) throws(KeyStoreError) {
        guard !totals.isEmpty else { return }
        for (shard, total) in totals.inOrder { try add(total, to: shard) }
        let former = root.row
        root.row = try cipher.closeDigest(former, root.total, key.bytes)
        try storage.update(root.row, from: former)
    }

    private mutating func add(_ change: DigestTotal, to shard: DigestShard) throws(KeyStoreError) {
        let old = try storage.row(.digest, shard.name)
        var total = change
        if let old {
            total.add(try cipher.openDigest(old).total)
            root.total.remove(try key.element(of: old))
        }
        guard total.count >= 0 else {
            throw KeyStoreError(.damaged, "row digest/\(shard.name)", "it has fewer rows than were taken away")
        }
        let empty = StoredRow(table: .digest, identifier: shard.name, version: 0, values: [])
        let new = try cipher.closeDigest(old ?? empty, total, nil)
        if let old { try storage.update(new, from: old) } else { try storage.insert(new) }
        root.total.add(try key.element(of: new))
    }
}
