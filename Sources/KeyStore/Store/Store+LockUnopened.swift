public import EnvelopeFormat

extension Store {
    /// Locks a store that cannot be opened, as its disk is full or read-only.
    ///
    /// Its identifier and the versions of its class keys are read without verifying them first, as they serve to evict and
    /// for nothing else. Who can write to the file can so have the session of another store of the same user evicted, which
    /// is to be unlocked again then; and he can have the keys of this one stay, of which the caller is told unless nothing
    /// is held for the identifier that the file says, or its row is a copy of that store's own. He who may use the store
    /// could have taken its keys along while it was unlocked, and a restart of the machine leaves none.
    /// - Parameters:
    ///   - directory: the store's.
    ///   - restart: whether all class keys go.
    ///   - obstacle: why it cannot be opened.
    /// - Returns: the state it is in then.
    /// - Throws: the obstacle where nothing can be read, or where more than an eviction is asked for: a stop;
    ///   `.damaged` where the identifier is another store's.
    public static func lockUnopened(
        directory: String, accessGroup: String? = nil, restart: Bool, obstacle: KeyStoreError
    ) throws(KeyStoreError) -> LockState {
        guard [.full, .readOnly, .busy, .inputOutput, .permission, .unavailable].contains(obstacle.kind) else {
            throw obstacle
        }
        for mode in [Connection.Mode.readOnly, .alone] {
            let found: (source: any ClassKeySource, rows: SQLiteTransaction, record: StoreRow, generation: Generation?)
            do {
                let path = try AbsolutePath(directory)
                let group = try AccessGroups.named(accessGroup, in: path)
                let files = try GroupDirectory(store: path, accessGroup: group)
                let identity = try files.checkFiles()
                let rows = SQLiteTransaction(try Connection(path: files.databasePath, patience: .zero, mode: mode))
                let record = try record(in: rows, files, group)
                try files.checkUnchanged(identity)
                // The stop of a sealer that records its key file is a matter of the row that cannot be written.
                guard record.role == .device || record.keyFile == nil else { throw obstacle }
                _ = try ClassKeyRow.versions(in: rows)
                let generation = try? Generation(in: files)
                found = (try source(of: record, files, generation), rows, record, generation)
            } catch { continue }
            let fault = identityFault(found.record.identifier, found.rows, found.source)
            // The newest versions may be among what was not read.
            try evict(
                restart: restart, found.record.role, found.rows, found.source, directory, found.generation, later: 8)
            if let fault { throw fault }
            if restart || found.record.role == .sealer { return .beforeFirstUnlock }
            return try found.source.fetch(.integrity, in: found.rows) == nil ? .beforeFirstUnlock : .locked
        }
        throw obstacle
    }
}
