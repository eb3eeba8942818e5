/// The class keys of a sealer store: where it records its key file it unlocks by itself and keeps nothing, else they stay
/// with the session holder. What is recorded is read each time, as it may be changed under a running process. Where that file
/// is gone, and somebody unlocked the store by a copy, they stay with the session holder too.
struct RecordedSource: ClassKeySource {
    let store: String
    let directory: String
    let unixGroup: UInt32?
    let session: any ClassKeySource
    /// The path that was recorded when the store was opened.
    let known: String?

    /// What it calls itself where a key file is recorded.
    static let name = "key file"

    func name(in transaction: any StorageTransaction) throws(KeyStoreError) -> String? {
        try hasKeyFile(in: transaction) ? Self.name : session.name(in: transaction)
    }

    func fetch(_ key: ClassKeyVersion, in transaction: any StorageTransaction) throws(KeyStoreError) -> GuardedBytes? {
        let recorded = try keyFile(in: transaction)
        let outcome = Result { () throws(KeyStoreError) in
            guard let recorded else { return try session.fetch(key, in: transaction) }
            return try fetch(key, recorded, transaction)
        }
        if case .success(.some(let key)) = outcome { return key }
        if recorded != nil, case .failure(let error) = outcome, error.kind == .unavailable {
            if let found = try? session.fetch(key, in: transaction) { return found }
            // Unlocked by a copy, and locked since.
            if key != .integrity, (try? session.fetch(.integrity, in: transaction)) != nil { return nil }
        }
        // A path that somebody edited: by the one before it is found out, as the row's seal does not hold.
        if let known, known != recorded?.path.string,
            let found = try? fetch(key, KeyFile(known, group: unixGroup), transaction)
        {
            return found
        }
        return try outcome.get()
    }

    private func fetch(
        _ key: ClassKeyVersion, _ keyFile: KeyFile, _ transaction: any StorageTransaction
    ) throws(KeyStoreError) -> GuardedBytes? {
        let kek = try read(keyFile)
        do throws(KeyStoreError) {
            return try Keybag(store: store, in: transaction, only: key.name).classKey(key, keyFile: kek, of: directory)
        } catch {
            guard error.kind == .authenticationFailed else { throw error }
            // The other class keys tell a wrong file from a wrap that is not as it was written.
            _ = try Keybag(store: store, in: transaction).unlock(byKeyFile: kek, of: directory)
            throw error
        }
    }

    /// Who sees this has not named the file himself.
    private func read(_ keyFile: KeyFile) throws(KeyStoreError) -> GuardedBytes {
        do { return try keyFile.read() } catch {
            guard error.kind == .unavailable else { throw error }
            throw KeyStoreError(
                error.kind, error.subject, error.reason,
                hint: "put it back, or keyctl rewrap --key-file COPY --new-key-file FILE")
        }
    }

    func put(_ keys: ClassKeys, timeout: Int?, in transaction: any StorageTransaction) throws(KeyStoreError) {
        if try !hasKeyFile(in: transaction) { try session.put(keys, timeout: timeout, in: transaction) }
    }

    func evict(_ keys: [ClassKeyVersion], in transaction: any StorageTransaction) throws(KeyStoreError) {
        guard try hasKeyFile(in: transaction) else { return try session.evict(keys, in: transaction) }
        // From a time when the key file was gone. Whoever could have them there can read the key file again.
        try? session.evict(keys, in: transaction)
    }

    func remaining(
        of keys: [ClassKeyVersion], in transaction: any StorageTransaction
    ) throws(KeyStoreError) -> [ClassKeyVersion] {
        try keyFile(in: transaction) == nil ? session.remaining(of: keys, in: transaction) : []
    }

    func listed(in transaction: any StorageTransaction) throws(KeyStoreError) -> [ClassKeyVersion] {
        try keyFile(in: transaction) == nil ? session.listed(in: transaction) : []
    }

    func forgetTimeout(in transaction: any StorageTransaction) throws(KeyStoreError) {
        if try !hasKeyFile(in: transaction) { try session.forgetTimeout(in: transaction) }
    }

    func secondsUntilLock(in transaction: any StorageTransaction) throws(KeyStoreError) -> Int? {
        try hasKeyFile(in: transaction) ? nil : session.secondsUntilLock(in: transaction)
    }

    func rehearsed() -> any ClassKeySource {
        RecordedSource(
            store: store, directory: directory, unixGroup: unixGroup, session: session.rehearsed(), known: known)
    }

    /// Whether a key file is recorded and there, so that it is read at every use and the session holds nothing.
    func hasKeyFile(in transaction: any StorageTransaction) throws(KeyStoreError) -> Bool {
        guard let keyFile = try keyFile(in: transaction) else { return false }
        do { _ = try keyFile.read() } catch { return error.kind != .unavailable }
        return true
    }

    /// Not believed: another file does not unlock anything.
    private func keyFile(in transaction: any StorageTransaction) throws(KeyStoreError) -> KeyFile? {
        guard let row = try transaction.row(.store, store), let path = try Held<StoreRow>(row).record.keyFile else {
            return nil
        }
        return try KeyFile(path, group: unixGroup)
    }
}
