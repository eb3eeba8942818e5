public import EnvelopeFormat

extension Store {
    /// Unlocks the store for every process that may use it.
    /// - Parameter secret: nil for a sealer store that knows its key file.
    /// - Throws: `.authenticationFailed` for the wrong secret, `.damaged`, `.badInput` when a secret is needed.
    public func unlock(_ secret: UnlockSecret?, now: Int64) throws(KeyStoreError) {
        let keybag = try storage.read { (rows) throws(KeyStoreError) in try Keybag(store: identifier, in: rows) }
        let keys: [ClassKeyName: GuardedBytes]
        if let secret {
            keys = try keybag.unlock(with: secret, group: unixGroup)
        } else if let keyFile {
            keys = try keybag.unlock(.keyFile, by: keyFile)
        } else {
            throw KeyStoreError(.badInput, directory, "a passphrase or the key file is needed to unlock it")
        }
        try write(with: keys) { (transaction) throws(KeyStoreError) in
            transaction.leaveAnchor()
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

    /// Takes the class keys away: those of `when-unlocked`, or with `restart` all, as if the machine had restarted.
    ///
    /// On a sealer store it is an administrative stop until ``unlock(_:now:)``; where that store knows its key file it
    /// is not a cryptographic one.
    public func lock(restart: Bool, now: Int64) throws(KeyStoreError) {
        let evicted = ClassKeyName.allCases.filter { restart || $0.isEvictedByLock }
        switch role {
        case .device:
            try source.evict(evicted)
            try write { (transaction) throws(KeyStoreError) in transaction.noteKeyChange() }
        case .sealer:
            try write { (transaction) throws(KeyStoreError) in
                guard try transaction.cipher.keys.key(.integrity) != nil else { return }
                transaction.leaveAnchor()
                var store = try transaction.storeRecord()
                store.record.stopped = restart ? .restarted : .locked
                try transaction.update(&store)
                transaction.noteKeyChange()
            }
            try source.evict(evicted)
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
