public import EnvelopeFormat

extension Store {
    /// Unlocks the store for every process that may use it.
    /// - Parameter secret: nil for a sealer store that knows its key file.
    /// - Throws: `.authenticationFailed` for the wrong secret, `.damaged`, `.badInput` when a secret is needed.
    public func unlock(_ secret: UnlockSecret?, now: Int64) throws(KeyStoreError) {
        let keys: [ClassKeyName: GuardedBytes]
        let keybag = try storage.read { (rows) throws(KeyStoreError) in try Keybag(store: identifier, in: rows) }
        do { keys = try classKeys(in: keybag, secret) } catch {
            auditRefusal(of: AuditNote(.unlock, "store"), error, at: now)
            throw error
        }
        try write(auditing: .unlock, "store", at: now, with: keys) { (transaction) throws(KeyStoreError) in
            for slot in keybag.slots { try transaction.cipher.check(slot.row) }
            for wrap in keybag.classKeys { try transaction.cipher.check(wrap.row) }
            var store = try transaction.storeRecord()
            if store.record.stopped != .no {
                store.record.stopped = .no
                try transaction.update(&store)
            }
            try source.put(keys)
            transaction.noteKeyChange()
        }
    }

    private func classKeys(
        in keybag: Keybag, _ secret: UnlockSecret?
    ) throws(KeyStoreError) -> [ClassKeyName: GuardedBytes] {
        switch secret {
        case .passphrase(let passphrase):
            return try keybag.unlock(.passphrase) { (slot) throws(KeyStoreError) in
                try SlotKey.derive(slot, passphrase)
            }
        case .keyFile(let path):
            let file = try KeyFile(path, group: unixGroup)
            return try keybag.unlock(.keyFile) { (_) throws(KeyStoreError) in try file.read() }
        case nil:
            guard let keyFile else {
                throw KeyStoreError(.badInput, directory, "a passphrase or the key file is needed to unlock it")
            }
            return try keybag.unlock(.keyFile) { (_) throws(KeyStoreError) in try keyFile.read() }
        }
    }

    /// Takes the class keys away: those of `when-unlocked`, or with `restart` all, as if the machine had restarted.
    ///
    /// On a sealer store it is an administrative stop until ``unlock(_:now:)``; where that store knows its key file it
    /// is not a cryptographic one.
    public func lock(restart: Bool, now: Int64) throws(KeyStoreError) {
        let evicted = ClassKeyName.allCases.filter { restart || $0.isEvictedByLock }
        let subject = restart ? "store, as if restarted" : "store"
        switch role {
        case .device:
            // What the entry is written with, as it goes with the others; they go whether it can be had or not.
            let kept = (try? keysOfLog()) ?? [:]
            try source.evict(evicted)
            guard !kept.isEmpty else {
                return try write(at: now) { (transaction) throws(KeyStoreError) in transaction.noteKeyChange() }
            }
            try write(auditing: .lock, subject, at: now, with: kept) { (transaction) throws(KeyStoreError) in
                transaction.noteKeyChange()
            }
        case .sealer:
            let kept = try keysOfLog()
            if !kept.isEmpty {
                try write(auditing: .lock, subject, at: now, with: kept) { (transaction) throws(KeyStoreError) in
                    var store = try transaction.storeRecord()
                    store.record.stopped = restart ? .restarted : .locked
                    try transaction.update(&store)
                    transaction.noteKeyChange()
                }
            }
            try source.evict(evicted)
        }
    }

    /// The class keys that writing an audit entry takes; none without all of them.
    private func keysOfLog() throws(KeyStoreError) -> [ClassKeyName: GuardedBytes] {
        try read { (transaction) throws(KeyStoreError) in
            let keys = transaction.cipher.keys
            guard let integrity = try keys.key(.integrity), let log = try keys.key(.afterFirstUnlock) else { return [:] }
            return [.integrity: integrity, .afterFirstUnlock: log]
        }
    }

    /// Whether the store is unlocked, locked, or not unlocked since the machine started.
    public var lockState: LockState {
        get throws(KeyStoreError) {
            try read { (transaction) throws(KeyStoreError) in try lockState(in: transaction) }
        }
    }

    func lockState(in transaction: RecordTransaction) throws(KeyStoreError) -> LockState {
        let keys = transaction.cipher.keys
        guard try keys.key(.integrity) != nil else { return .beforeFirstUnlock }
        switch role {
        case .device: return try keys.key(.whenUnlocked) == nil ? .locked : .unlocked
        case .sealer:
            switch try transaction.storeRecord().record.stopped {
            case .no: return .unlocked
            case .locked: return .locked
            case .restarted: return .beforeFirstUnlock
            }
        }
    }
}

extension RecordTransaction {
    /// The store's own row.
    func storeRecord() throws(KeyStoreError) -> Held<StoreRow> {
        guard let store = try find(StoreRow.self, cipher.store) else {
            throw KeyStoreError(.damaged, "row store/\(cipher.store)", "it is not there")
        }
        return store
    }
}
