public import EnvelopeFormat

extension Store {
    /// Unlocks the store for every process that may use it. Where that cannot be written, it stays as it was.
    /// - Parameters:
    ///   - secret: nil for a sealer store that records its key file.
    ///   - timeout: after how many seconds the session holder's clock does as ``lock(restart:now:)``; nil for never.
    /// - Throws: `.authenticationFailed` for the wrong secret, `.damaged`, `.badInput` when a secret is needed or the
    ///   timeout is out of range, `.refused` for a timeout of a store that unlocks by itself.
    public func unlock(_ secret: UnlockSecret?, timeout: Int? = nil, now: Int64) throws(KeyStoreError) {
        if let timeout { try checkTimeout(timeout) }
        let act = AuditNote(.unlock, "store")
        try auditingRefusals(of: act, at: now) { () throws(KeyStoreError) in
            try withKeybag(openedBy: secret) { (keybag, unlocked) throws(KeyStoreError) in
                try write(at: now, with: unlocked.keys) { (transaction) throws(KeyStoreError) -> Void? in
                    transaction.leaveAnchor()
                    guard try keybag.holds(in: transaction) else { return nil }
                    transaction.act = act
                    var store = try transaction.storeRecord()
                    if store.record.stopped != .no {
                        store.record.stopped = .no
                        try transaction.update(&store)
                    }
                    try transaction.admit(unlocked.keys, timeout: timeout, to: source)
                    generation.unmark([.locked, .restarted])
                    transaction.noteKeyChange()
                    return ()
                }
            }
        }
    }

    /// Takes the class keys away: those of `when-unlocked`, or with `restart` all, as if the machine had restarted.
    ///
    /// A sealer store whose keys are in the session loses all of them in either way. One that reads its key file at every
    /// use is stopped until ``unlock(_:timeout:now:)``, which is not a cryptographic lock.
    /// - Throws: also when it is locked, but that cannot be written: ``carryOutLock(restart:now:)`` tells one from the other.
    public func lock(restart: Bool, now: Int64) throws(KeyStoreError) {
        if let unwritten = try carryOutLock(restart: restart, now: now) { throw unwritten }
    }

    /// ``lock(restart:now:)``, which takes effect also where it cannot be written.
    /// - Returns: why the lock, which took effect, is not written in the audit log and other processes are not told of it;
    ///   nil when all is done.
    /// - Throws: when the store is not locked: keys are in the session yet, or the stop of a sealer could not be written; or
    ///   when it cannot be told, as the file says another identifier than its own.
    public func carryOutLock(restart: Bool, now: Int64) throws(KeyStoreError) -> KeyStoreError? {
        var restart = restart
        if role == .sealer, try !readsKeyFile { restart = true }
        // What the entry is written with, as it goes with the others; a device's go whether it can be had or not.
        let log = Result { () throws(KeyStoreError) in try keysOfLog() }
        // At once, and again when nobody can be replacing class keys.
        let fault = try storage.read { (rows) throws(KeyStoreError) in
            let fault = Self.identityFault(identifier, rows, source)
            try evict(restart: restart, rows)
            return fault
        }
        if let fault { throw fault }
        let kept = role == .device ? (try? log.get()) ?? [:] : try log.get()
        // A sealer store that is locked away already has no stop to be written.
        if role == .sealer, kept.isEmpty { return nil }
        let act = AuditNote(.lock, restart ? "store, as if restarted" : "store")
        do {
            try write(auditing: kept.isEmpty ? nil : act, at: now, with: kept) { (transaction) throws(KeyStoreError) in
                transaction.leaveAnchor()
                try evict(restart: restart, transaction.storage)
                if role == .sealer {
                    var store = try transaction.storeRecord()
                    store.record.stopped = restart ? .restarted : .locked
                    try transaction.update(&store)
                }
                transaction.noteKeyChange()
            }
            return nil
        } catch {
            // Who was writing meanwhile may have replaced class keys.
            try storage.read { (rows) throws(KeyStoreError) in try evict(restart: restart, rows) }
            // A stop that is not written is none, also while the key file is away.
            let state = try read { (transaction) throws(KeyStoreError) in try lockState(in: transaction) }
            guard restart ? state == .beforeFirstUnlock : state != .unlocked else { throw error }
            return error
        }
    }

    /// What shows that a file says another store's identifier: its own row does not hold under the key that is held for that
    /// identifier. Who can write to the file could so have the keys of another store evicted in place of its own; of that
    /// nothing is known here where no key is held for it, or where the row of that store was put there too.
    static func identityFault(
        _ identifier: String, _ rows: any StorageTransaction, _ source: any ClassKeySource
    ) -> KeyStoreError? {
        let keys = OperationKeys([:], source, rows)
        defer { keys.end() }
        do throws(KeyStoreError) {
            guard try keys.key(.integrity) != nil, let row = try rows.row(.store, identifier) else { return nil }
            try RowCipher(store: identifier, keys: keys).check(row)
            return nil
        } catch {
            return error.kind == .damaged ? error : nil
        }
    }

    /// Every version of the class keys that go.
    private func evict(restart: Bool, _ rows: any StorageTransaction) throws(KeyStoreError) {
        // What is no longer in its place is not written.
        let isInPlace = (try? checkPlace()) != nil
        try Self.evict(restart: restart, role, rows, source, directory, isInPlace ? generation : nil)
    }

    /// - Parameter later: how many versions to look for beyond those that the rows tell of.
    /// - Throws: `.unavailable` when keys are there yet after they were evicted.
    static func evict(
        restart: Bool, _ role: StoreRole, _ rows: any StorageTransaction, _ source: any ClassKeySource,
        _ directory: String, _ generation: Generation?, later: Int64 = 0
    ) throws(KeyStoreError) {
        // Whatever becomes of the keys, nobody reads them through the store.
        generation?.mark(restart ? .restarted : .locked)
        // Also where the rows were tampered with, what there is in any case.
        var known = try ClassKeyRow.versions(in: rows).union(ClassKeyName.allCases.map { ClassKeyVersion($0, 1) })
        for name in ClassKeyName.allCases where later > 0 && name != .integrity {
            let highest = min(known.filter { $0.name == name }.map(\.version).max() ?? 1, Int64.max - later)
            for version in highest...highest + later { known.insert(ClassKeyVersion(name, version)) }
        }
        known.formUnion(try source.listed(in: rows))
        let going = known.filter { restart || $0.name.isEvictedByLock(of: role) }
        try source.evict(Array(going), in: rows)
        let remaining = try source.remaining(of: Array(going), in: rows)
        guard remaining.isEmpty else {
            let names = remaining.map(\.sessionName).sorted().joined(separator: ", ")
            throw KeyStoreError(.unavailable, directory, "class keys are in the session after they were evicted: \(names)")
        }
        try source.forgetTimeout(in: rows)
        if restart, KeyringHolder.answers { generation?.unmark(.inKeyring) }
    }

    /// Whether it reads the key file that it records at every use, so that the session holds nothing for it.
    var readsKeyFile: Bool {
        get throws(KeyStoreError) {
            guard let source = source as? RecordedSource else { return false }
            return try storage.read { (rows) throws(KeyStoreError) in try source.hasKeyFile(in: rows) }
        }
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

    /// Whether the store is unlocked, locked, or not unlocked since the machine started, as is one whose key file is lost.
    public var lockState: LockState {
        get throws(KeyStoreError) {
            do throws(KeyStoreError) {
                return try read { (transaction) throws(KeyStoreError) in try lockState(in: transaction) }
            } catch {
                guard error.kind == .unavailable, case .keyFile(_?) = try unlockWay(), try !readsKeyFile else { throw error }
                return .beforeFirstUnlock
            }
        }
    }

    func lockState(in transaction: RecordTransaction) throws(KeyStoreError) -> LockState {
        let keys = transaction.cipher.keys
        guard try keys.key(.integrity) != nil else { return .beforeFirstUnlock }
        switch role {
        case .device: return try keys.key(.whenUnlocked) == nil ? .locked : .unlocked
        case .sealer:
            switch try transaction.storeRecord().record.stopped {
            case .no:
                for version in try ClassKeyRow.versions(of: .afterFirstUnlock, in: transaction.storage) {
                    if try keys.classKey(version) != nil { return .unlocked }
                }
                return .locked
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
