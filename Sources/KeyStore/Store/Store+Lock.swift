public import EnvelopeFormat

extension Store {
    /// Unlocks the store for every process that may use it.
    /// - Parameters:
    ///   - secret: nil for a sealer store that records its key file.
    ///   - timeout: after how many seconds the session holder's clock does as ``lock(restart:now:)``; nil for never.
    /// - Throws: `.authenticationFailed` for the wrong secret, `.damaged`, `.badInput` when a secret is needed or the
    ///   timeout is out of range, `.refused` for a timeout of a store that unlocks by itself.
    public func unlock(_ secret: UnlockSecret?, timeout: Int? = nil, now: Int64) throws(KeyStoreError) {
        if let timeout { try checkTimeout(timeout) }
        // Argon2id takes its time, and nobody waits for it: a keybag that was changed meanwhile is asked again.
        for _ in 0..<4 {
            let keybag = try keybag()
            let keys: ClassKeys
            do { keys = try open(keybag, secret).keys } catch {
                auditRefusal(of: AuditNote(.unlock, "store"), error, at: now)
                throw error
            }
            let isDone = try write(auditing: .unlock, "store", at: now, with: keys) {
                (transaction) throws(KeyStoreError) in
                guard try keybag.isCurrent(in: transaction.storage) else {
                    transaction.act = nil
                    return false
                }
                transaction.leaveAnchor()
                try keybag.check(transaction.cipher)
                var store = try transaction.storeRecord()
                if store.record.stopped != .no {
                    store.record.stopped = .no
                    try transaction.update(&store)
                }
                try source.put(keys, timeout: timeout, in: transaction.storage)
                transaction.noteKeyChange()
                return true
            }
            if isDone { return }
        }
        throw KeyStoreError(.busy, directory, "its class keys are being replaced")
    }

    /// Takes the class keys away: those of `when-unlocked`, or with `restart` all, as if the machine had restarted.
    ///
    /// On a sealer store it is an administrative stop until ``unlock(_:timeout:now:)``; where that store knows its key
    /// file it is not a cryptographic one.
    public func lock(restart: Bool, now: Int64) throws(KeyStoreError) {
        let act = AuditNote(.lock, restart ? "store, as if restarted" : "store")
        switch role {
        case .device:
            // What the entry is written with, as it goes with the others; they go whether it can be had or not.
            let kept = (try? keysOfLog()) ?? [:]
            // At once, and again when nobody can be replacing class keys.
            try storage.read { (rows) throws(KeyStoreError) in try evict(restart: restart, rows) }
            try write(auditing: kept.isEmpty ? nil : act, at: now, with: kept) { (transaction) throws(KeyStoreError) in
                transaction.leaveAnchor()
                try evict(restart: restart, transaction.storage)
                transaction.noteKeyChange()
            }
        case .sealer:
            let kept = try keysOfLog()
            if !kept.isEmpty {
                try write(auditing: act, at: now, with: kept) { (transaction) throws(KeyStoreError) in
                    transaction.leaveAnchor()
                    var store = try transaction.storeRecord()
                    store.record.stopped = restart ? .restarted : .locked
                    try transaction.update(&store)
                    transaction.noteKeyChange()
                }
            }
            try storage.read { (rows) throws(KeyStoreError) in try evict(restart: restart, rows) }
        }
    }

    /// Every version of the class keys that go.
    private func evict(restart: Bool, _ rows: any StorageTransaction) throws(KeyStoreError) {
        // Also where the rows were tampered with, what there is in any case.
        let known = try ClassKeyRow.versions(in: rows).union(ClassKeyName.allCases.map { ClassKeyVersion($0, 1) })
        try source.evict(known.filter { restart || $0.name.isEvictedByLock }, in: rows)
        try source.forgetTimeout(in: rows)
    }

    /// The class keys that writing an audit entry takes; none without all of them.
    private func keysOfLog() throws(KeyStoreError) -> ClassKeys {
        try read { (transaction) throws(KeyStoreError) in
            let keys = transaction.cipher.keys
            var kept: ClassKeys = [:]
            for version in try ClassKeyRow.versions(of: .afterFirstUnlock, in: transaction.storage).union([.integrity]) {
                guard let key = try keys.classKey(version) else { return [:] }
                kept[version] = key
            }
            return kept
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
