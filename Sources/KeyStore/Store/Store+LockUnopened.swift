public import EnvelopeFormat

extension Store {
    /// Locks a store that cannot be opened, as its disk is full or read-only: its identifier and the versions of its class
    /// keys are read without verifying them, as they serve to evict and for nothing else.
    /// - Parameters:
    ///   - directory: the store's.
    ///   - restart: whether all class keys go.
    ///   - obstacle: why it cannot be opened.
    /// - Returns: the state it is in then.
    /// - Throws: the obstacle where nothing can be read, or where more than an eviction is asked for: a sealer's stop.
    public static func lockUnopened(
        directory: String, accessGroup: String? = nil, restart: Bool, obstacle: KeyStoreError
    ) throws(KeyStoreError) -> LockState {
        guard [.full, .readOnly, .busy, .inputOutput, .permission, .unavailable].contains(obstacle.kind) else {
            throw obstacle
        }
        for mode in [Connection.Mode.readOnly, .alone] {
            let found: (source: any ClassKeySource, rows: SQLiteTransaction, role: StoreRole, generation: Generation?)
            do {
                let path = try AbsolutePath(directory)
                let group = try AccessGroups.named(accessGroup, in: path)
                let files = try GroupDirectory(store: path, accessGroup: group)
                let identity = try files.checkFiles()
                let rows = SQLiteTransaction(try Connection(path: files.databasePath, patience: .zero, mode: mode))
                let record = try record(in: rows, files, group)
                try files.checkUnchanged(identity)
                // A sealer's stop, or its key file's, is a matter of the row that cannot be written.
                guard record.role == .device || (record.keyFile == nil && restart) else { throw obstacle }
                _ = try ClassKeyRow.versions(in: rows)
                let generation = try? Generation(in: files)
                found = (try source(of: record, files, generation), rows, record.role, generation)
            } catch { continue }
            // The newest versions may be among what was not read.
            try evict(
                restart: restart, found.role, found.rows, found.source, directory, found.generation, later: 8)
            if restart { return .beforeFirstUnlock }
            return try found.source.fetch(.integrity, in: found.rows) == nil ? .beforeFirstUnlock : .locked
        }
        throw obstacle
    }
}
