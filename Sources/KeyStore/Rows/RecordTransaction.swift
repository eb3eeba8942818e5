internal import CryptoPrimitives

/// Typed records inside one transaction: every row is checked when it is read and sealed when it is written.
final class RecordTransaction {
    let storage: any StorageTransaction
    let cipher: RowCipher
    /// Whether other processes have to forget what they cached.
    private(set) var changesKeys = false
    /// Whether bytes of a secret were deleted, so that the files have to be cleaned.
    private(set) var shreds = false {
        didSet { if shreds { changesKeys = true } }
    }

    /// Whether it is one of many that a job does, of which not each has the files cleaned for itself.
    private(set) var isErasureForLater = false

    /// Whether all of it was written, so that the commit may have taken place whatever it answered.
    var mayBeCommitted = false

    /// When it is, as its audit entries say.
    let now: Int64
    /// The operation that is going on: it is written to the audit log when it is done, and when it is refused.
    var act: AuditNote?
    /// What part of it is being tried, when a refusal is rather of that.
    var attempt: AuditNote?
    /// What is to be written to the audit log besides.
    private(set) var notes: [AuditNote] = []
    /// Whether a row with a secret was added.
    private var addsSecrets = false
    /// What `finish` counts into the digest.
    private var changes = RowChanges()
    /// Whether the digest is founded, and what is asked meanwhile.
    private var foundsDigest: ((Int) -> Bool)?
    /// Class keys that were taken out of the session.
    private(set) var evicted: ClassKeys = [:]
    /// Class keys that were put into the session and were not there.
    private(set) var admitted: [ClassKeyVersion] = []
    /// Nil where the store's anchor is not asked.
    private var anchor: AnchorKeeper?

    /// - Parameter now: nil for the system's clock.
    init(
        _ storage: any StorageTransaction, _ cipher: RowCipher, _ anchor: AnchorKeeper? = nil, now: Int64? = nil
    ) {
        self.storage = storage
        self.cipher = cipher
        self.anchor = anchor
        self.now = now ?? SystemClock.seconds
    }

    func audit(_ note: AuditNote) { notes.append(note) }

    /// Has the generation counted up when this transaction commits.
    func noteKeyChange() { changesKeys = true }

    /// Has the files cleaned when this transaction commits: something that opens secrets was deleted.
    func noteShredding() { shreds = true }

    /// Has the files cleaned within a second or so, by this transaction or one that follows.
    func letErasureWait() { isErasureForLater = true }

    /// Takes class keys out of the session whose wraps are destroyed: before the commit, so that none stays when the process
    /// is killed. They are put back when the transaction comes to nothing.
    func evict(_ versions: [ClassKeyVersion], from source: any ClassKeySource) throws(KeyStoreError) {
        for version in versions { evicted[version] = try source.fetch(version, in: storage) }
        try source.evict(versions, in: storage)
    }

    /// Puts class keys into the session: before the commit, so that none is missing from then on. Those that were not there
    /// are taken out when the transaction comes to nothing.
    func admit(_ keys: ClassKeys, timeout: Int?, to source: any ClassKeySource) throws(KeyStoreError) {
        let there = try source.remaining(of: Array(keys.keys), in: storage)
        try source.put(keys, timeout: timeout, in: storage)
        admitted += keys.keys.filter { !there.contains($0) }
    }

    /// Has the digest founded over all rows there are when the transaction is finished.
    /// - Parameter goesOn: asked now and then, with how many rows were counted; false ends it.
    func foundDigest(goesOn: @escaping (Int) -> Bool = { _ in true }) { foundsDigest = goesOn }

    /// Whether it would be a loss of keys, or of what became of them, if all this were taken back.
    var isWorthAnchoring: Bool { changesKeys || addsSecrets }

    /// Neither compares with the store's anchor nor goes on from it: for what must work without, as locking does.
    func leaveAnchor() { anchor = nil }

    /// Writes what stands for the whole transaction, its audit entries first. Called once, after everything else is written.
    /// - Throws: `.damaged` for a store that is older than its anchor says, besides what the anchor's own failures are.
    func finish() throws(KeyStoreError) {
        try writeAudit()
        if !changes.isEmpty { try anchor?.step(self) }
        if let foundsDigest {
            try Digest.found(self, foundsDigest)
        } else if !changes.isEmpty {
            var digest = try Digest(self)
            try digest.count(changes)
        }
    }

    func find<R: Record>(_: R.Type, _ identifier: String) throws(KeyStoreError) -> Held<R>? {
        guard let row = try storage.row(R.table, identifier) else { return nil }
        try cipher.check(row)
        return try Held(row)
    }

    func all<R: Record>(_: R.Type, _ matches: Match..., limit: Int? = nil) throws(KeyStoreError) -> [Held<R>] {
        var result: [Held<R>] = []
        for row in try storage.rows(R.table, matches, limit: limit) {
            try cipher.check(row)
            result.append(try Held(row))
        }
        return result
    }

    /// Those that hold, from the first on, and what is wrong with the one after them.
    func leading<R: Record>(
        _: R.Type, _ matches: [Match], limit: Int
    ) throws(KeyStoreError) -> (held: [Held<R>], fault: KeyStoreError?) {
        var held: [Held<R>] = []
        for row in try storage.rows(R.table, matches, limit: limit) {
            do throws(KeyStoreError) {
                try cipher.check(row)
                held.append(try Held(row))
            } catch {
                guard error.kind == .damaged else { throw error }
                return (held, error)
            }
        }
        return (held, nil)
    }

    /// - Throws: `.alreadyExists` when there is a row of that name.
    @discardableResult
    func insert<R: Record>(
        _ record: R, secret: SymmetricKey? = nil, under name: ClassKeyName = .afterFirstUnlock
    ) throws(KeyStoreError) -> Held<R> {
        Held(
            record: record,
            row: try insert(
                StoredRow(table: R.table, identifier: record.identifier, version: 1, values: record.values),
                secret: secret, under: name))
    }

    /// A row whose values are of the form of its table's records.
    @discardableResult
    func insert(
        _ row: StoredRow, secret: SymmetricKey?, under name: ClassKeyName
    ) throws(KeyStoreError) -> StoredRow {
        var row = row
        if let secret { row.secret = try cipher.wrap(secret, under: name, for: row) }
        try cipher.seal(&row)
        try storage.insert(row)
        changes.note(row, before: nil, after: row.sealed)
        if case .some = secret { addsSecrets = true }
        return row
    }

    /// Writes the record's changed columns; its secret stays.
    func update<R: Record>(_ held: inout Held<R>) throws(KeyStoreError) {
        try write(&held)
    }

    /// Writes the record with another secret in place of the one it had.
    func update<R: Record>(
        _ held: inout Held<R>, secret: SymmetricKey, under name: ClassKeyName = .afterFirstUnlock
    ) throws(KeyStoreError) {
        try write(&held) { (row) throws(KeyStoreError) in
            row.secret = try cipher.wrap(secret, under: name, for: row)
            shreds = true
        }
    }

    /// Writes the record with the secret that follows from the one it had. No other process has to forget anything for
    /// it, and the former bytes leave the files with the next erasure, whatever that is for.
    func update<R: Record>(
        _ held: inout Held<R>, evolved secret: SymmetricKey, under name: ClassKeyName = .afterFirstUnlock
    ) throws(KeyStoreError) {
        try write(&held) { (row) throws(KeyStoreError) in row.secret = try cipher.wrap(secret, under: name, for: row) }
    }

    /// Writes the record without the secret it had.
    func shred<R: Record>(_ held: inout Held<R>) throws(KeyStoreError) {
        if held.row.secret != nil { shreds = true }
        try write(&held) { $0.secret = nil }
    }

    func delete<R: Record>(_ held: Held<R>) throws(KeyStoreError) {
        if held.row.secret != nil { shreds = true }
        try storage.delete(R.table, held.row.identifier)
        changes.note(held.row, before: held.row.sealed, after: nil)
    }

    /// - Throws: `.locked`, `.notFound` when the row holds no secret, `.damaged`.
    func secret<R: Record>(of held: Held<R>) throws(KeyStoreError) -> SymmetricKey { try cipher.unwrap(held.row) }

    /// Wraps the secret of a row anew, under the newest class key of its name; its columns stay.
    func rewrapSecret(of row: StoredRow, under name: ClassKeyName) throws(KeyStoreError) {
        let former = row
        var row = row
        row.secret = try cipher.wrap(try cipher.unwrap(row), under: name, for: row)
        try write(&row, from: former)
    }

    /// Writes the record's values, and what else changes in its row.
    private func write<R: Record>(
        _ held: inout Held<R>, _ change: (inout StoredRow) throws(KeyStoreError) -> Void = { _ in }
    ) throws(KeyStoreError) {
        let former = held.row
        held.row.values = held.record.values
        try change(&held.row)
        try write(&held.row, from: former)
    }

    private func write(_ row: inout StoredRow, from former: StoredRow) throws(KeyStoreError) {
        row.version += 1
        try cipher.seal(&row)
        try storage.update(row, from: former)
        changes.note(row, before: former.sealed, after: row.sealed)
    }
}
