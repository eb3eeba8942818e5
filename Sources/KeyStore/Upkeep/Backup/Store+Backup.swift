internal import EnvelopeFormat

extension Store {
    /// Writes an encrypted backup to a new file, mode 0600: one consistent state, every row verified first.
    ///
    /// Items of this device alone stay behind, and so do identity, leases, and what unlocks the store.
    /// - Parameters:
    ///   - secret: what opens the backup: a passphrase, or a key file, which is made if it is not there.
    ///   - argon2id: the work of a guess of the passphrase.
    ///   - goesOn: asked now and then, with how many rows were verified or written; false ends it.
    /// - Throws: `.alreadyExists` for a file that is there, `.damaged` naming a row that does not hold, `.locked` when a
    ///   secret cannot be read now, `.full`; no file is left then, nor a key file that was made.
    public func backUp(
        to path: String, secret: UnlockSecret, argon2id: Argon2idParameters = .standard, now: Int64,
        goesOn: (Int) -> Bool = { _ in true }
    ) throws(KeyStoreError) -> BackupSummary {
        let act = AuditNote(.backup, "store")
        return try auditingRefusals(of: act, at: now) { () throws(KeyStoreError) in
            try backUp(act, to: path, secret, argon2id, now, goesOn)
        }
    }

    private func backUp(
        _ act: AuditNote, to path: String, _ secret: UnlockSecret, _ argon2id: Argon2idParameters, _ now: Int64,
        _ goesOn: (Int) -> Bool
    ) throws(KeyStoreError) -> BackupSummary {
        try Self.requireSelfTest(secret)
        let place = try Self.backupPath(path, secret)
        let file = try NewFile(place)
        let keyFile = try secret.newKeyFile(group: nil, isPlacedLater: true)
        let header = BackupHeader(
            argon2id: keyFile == nil ? argon2id : nil, salt: try RandomName.bytes(Argon2id.saltByteCount))
        let key = if let keyFile { try keyFile.key() } else { try header.key(secret, file.path.string) }
        let writer = try BackupWriter(file, header, key)
        let summary = try readBesideAnchor { (transaction, sight) throws(KeyStoreError) in
            try requireBackable(transaction, sight, goesOn)
            return try write(transaction, to: writer, now: now, goesOn)
        }
        try writer.finish()
        try file.complete()
        try readBack(file, key, summary, goesOn)
        let reason = "\(summary.rowCount) rows, under a \(secret.kindOfSecret), to \(file.path.string)"
        do throws(KeyStoreError) {
            try keyFile?.place()
            // Before it gets its name, so that there is no backup of which nothing was written down.
            try writeDown(AuditNote(act.operation, act.subject, reason: reason), now: now)
            try file.place()
        } catch {
            // No backup refers to it then.
            keyFile?.withdraw { _ in false }
            throw error
        }
        return summary
    }

    /// What ``backUp(to:secret:argon2id:now:goesOn:)`` would write; nothing is written.
    /// - Throws: as that would.
    public func backupContents(
        to path: String, secret: UnlockSecret, now: Int64, goesOn: (Int) -> Bool = { _ in true }
    ) throws -> BackupSummary {
        try Self.requireSelfTest(secret)
        try NewFile.requireAbsent(try Self.backupPath(path, secret))
        _ = try secret.newKeyFile(group: nil, isPlacedLater: true)?.key()
        let summary = try readBesideAnchor { (transaction, sight) throws(KeyStoreError) in
            try requireBackable(transaction, sight, goesOn)
            return try write(transaction, to: nil, now: now, goesOn)
        }
        try rehearse { try $0.writeDown(AuditNote(.backup, "store"), now: now) }
        return summary
    }

    private static func requireSelfTest(_ secret: UnlockSecret) throws(KeyStoreError) {
        if case .passphrase = secret { try SelfTest.requireForPassphrase() } else { try SelfTest.require() }
    }

    /// That the file opens, to its end, and has every row: nobody looks at a backup before it is all there is. By the key and
    /// not by the passphrase, from which a wrong Argon2id would derive the same once more.
    private func readBack(
        _ file: NewFile, _ key: GuardedBytes, _ summary: BackupSummary, _ goesOn: (Int) -> Bool
    ) throws(KeyStoreError) {
        let found: BackupSummary
        do throws(KeyStoreError) {
            var count = 0
            found = try BackupContents(BackupReader(file, key)).forEachRow { (_, _) throws(KeyStoreError) in
                if count.isMultiple(of: 1_000), !goesOn(count) { throw .interrupted }
                count += 1
            }
        } catch {
            guard [.damaged, .authenticationFailed, .badInput].contains(error.kind) else { throw error }
            throw SelfTest.doesNotOpen("the backup")
        }
        guard found.rows == summary.rows else { throw SelfTest.doesNotOpen("the backup") }
    }

    private static func backupPath(_ path: String, _ secret: UnlockSecret) throws(KeyStoreError) -> AbsolutePath {
        let place = try AbsolutePath(path)
        if case .keyFile(let keyFile) = secret, try AbsolutePath(keyFile) == place {
            throw KeyStoreError(.badInput, place.string, "it cannot be both the backup and its key file")
        }
        return place
    }

    /// Writes the entry of the backup into the audit log.
    private func writeDown(_ act: AuditNote, now: Int64) throws(KeyStoreError) {
        do throws(KeyStoreError) {
            try write(at: now) { (transaction) throws(KeyStoreError) in transaction.act = act }
        } catch { throw AnchorStanding.ofBackup(error) }
    }

    /// That all of it can be read and holds. A store that is older than its anchor is refused before all of it is read, as
    /// the entry of the backup in its log would be.
    private func requireBackable(
        _ transaction: RecordTransaction, _ sight: AnchorSight, _ goesOn: (Int) -> Bool
    ) throws(KeyStoreError) {
        guard try lockState(in: transaction) == .unlocked else { throw RowCipher.locked("store") }
        do throws(KeyStoreError) { _ = try anchorReport(transaction, given: nil, isVerifying: false, sight) } catch {
            throw AnchorStanding.ofBackup(error)
        }
        _ = try Verification(transaction).run(goesOn)
    }

    private func write(
        _ transaction: RecordTransaction, to writer: BackupWriter?, now: Int64, _ goesOn: (Int) -> Bool
    ) throws(KeyStoreError) -> BackupSummary {
        let defaults = try transaction.storeRecord().record.defaults
        var summary = BackupSummary(role: role, store: identifier, accessGroup: accessGroup, created: now)
        summary.staysBehindCount = 0
        try writer?.put("backup")
        for text in [role.rawValue, identifier, accessGroup] { try writer?.put(text) }
        try writer?.put(.integer(now))
        try writer?.put(.integer(Int64(try transaction.storage.schemaVersion())))
        try writer?.put(.blob(defaults))
        for table in Table.allCases {
            if case .staysOnDevice = table.backupRule {
                summary.staysBehindCount? += try transaction.storage.count(table, [])
            }
            guard table.entersBackup else { continue }
            try writer?.put("table")
            try writer?.put(table.name)
            try writer?.put(.integer(Int64(table.columns.count)))
            for column in table.columns { try writer?.put(column.name) }
            try write(table, transaction, to: writer, &summary, goesOn)
        }
        try writer?.put("end")
        try writer?.put(.integer(Int64(summary.rowCount)))
        return summary
    }

    private func write(
        _ table: Table, _ transaction: RecordTransaction, to writer: BackupWriter?, _ summary: inout BackupSummary,
        _ goesOn: (Int) -> Bool
    ) throws(KeyStoreError) {
        guard goesOn(summary.rowCount) else { throw .interrupted }
        var looked = 0
        try transaction.storage.eachRow(of: table) { (row) throws(KeyStoreError) in
            looked += 1
            if looked.isMultiple(of: 1_000), !goesOn(summary.rowCount) { throw .interrupted }
            guard !table.staysBehind(row) else {
                summary.staysBehindCount? += 1
                return
            }
            try transaction.cipher.check(row)
            try writer?.put("row")
            try writer?.put(row.identifier)
            for value in row.values { try writer?.put(value) }
            if table.carriesSecret {
                try writer?.put(FieldValue(row.secret?.classKey))
                if row.secret == nil {
                    try writer?.put(.null)
                } else {
                    try writer?.put(try transaction.cipher.unwrap(row))
                }
            }
            summary.rows[table.name, default: 0] += 1
        }
    }
}
