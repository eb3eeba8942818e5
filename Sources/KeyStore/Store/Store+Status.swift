extension Store {
    /// What the store says of itself.
    /// - Parameters:
    ///   - verify: checks the seal of every row, every secret that can be read now, that no row is missing, and the audit
    ///     log.
    ///   - anchor: a file that is to be the store's anchor, also if the store itself was made to forget it.
    ///   - goesOn: asked now and then, with how many rows were verified; false ends it.
    /// - Throws: `.damaged` naming the first row or entry that does not hold, or for a store that is older than its
    ///   anchor says; `.locked` when that cannot be told.
    public func status(
        verify: Bool = false, anchor: String? = nil, now: Int64, goesOn: (Int) -> Bool = { _ in true }
    ) throws(KeyStoreError) -> StoreStatus {
        let schemaVersion = try storage.schemaVersion()
        return try read { (transaction) throws(KeyStoreError) in
            let rows = transaction.storage
            let pending = [Match.equal("state", BundleRow.State.pending.rawValue)]
            var counts = StoreStatus.Counts()
            counts.devices = try rows.count(.device, [])
            counts.conversations = try rows.count(.conversation, [])
            counts.handles = try rows.count(.conversationSecret, [])
            counts.pendingBundles = try rows.count(.bundle, pending)
            counts.heldEpochs = try rows.count(.heldEpoch, [])
            counts.replayRecords = try rows.count(.replay, [])
            counts.splitKeys = try rows.count(.splitKey, [])
            counts.items = try rows.count(.item, [])
            let state = try lockState(in: transaction)
            var oldest: Int64?
            var report: AnchorReport?
            var audit: StoreStatus.Audit?
            let isReadable = try transaction.cipher.keys.key(.integrity) != nil
            if verify || anchor != nil || isReadable {
                report = try anchorReport(transaction, given: anchor, isVerifying: verify)
                // By the index, whose first row it is.
                oldest = try transaction.all(BundleRow.self, pending[0], .atMost("issued", .max), limit: 1)
                    .first?.record.issued
                let log = try AuditLog.row(transaction).record
                audit = StoreStatus.Audit(log: log.log, entries: log.entries, checkpointKey: log.checkpointKey)
            }
            return StoreStatus(
                role: role, identifier: identifier, accessGroup: accessGroup, lockState: state,
                secondsUntilLock: state == .unlocked ? try source.secondsUntilLock(in: rows) : nil,
                sessionHolder: try source.name(in: rows), schemaVersion: schemaVersion, counts: counts,
                erasurePending: try rows.erasurePending() != 0, oldestPendingBundle: oldest, audit: audit,
                verifiedRows: verify ? try Verification(transaction).run(goesOn) : nil, anchor: report)
        }
    }

    /// What the store says for all its conversations.
    /// - Throws: `.locked` when it cannot be told whether somebody changed it.
    public func defaults() throws(KeyStoreError) -> StoreDefaults {
        try read { (transaction) throws(KeyStoreError) in
            StoreDefaults(json: try transaction.storeRecord().record.defaults)
        }
    }

    public func setDefaults(_ defaults: StoreDefaults, now: Int64) throws(KeyStoreError) {
        try write(auditing: .defaults, "store", at: now) { (transaction) throws(KeyStoreError) in
            var store = try transaction.storeRecord()
            store.record.defaults = defaults.json
            try transaction.update(&store)
            transaction.noteKeyChange()
        }
    }
}
