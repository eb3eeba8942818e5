extension Store {
    /// Replaces what unlocks the store: one new slot with wraps of every class key, the old ones gone and shredded, in
    /// one transaction. Class keys stay, and sessions with them. A device store whose passcode was removed stays without
    /// one under another key file, and gets one with a passphrase.
    /// - Parameters:
    ///   - present: what unlocks it now; nil for a sealer store that records its key file.
    ///   - new: a key file is made if it is not there; a sealer store records its path.
    ///   - argon2id: the work of a guess of the new passphrase; nil for that of the present one, or the standard.
    /// - Throws: `.authenticationFailed` for the wrong secret, `.badInput` for a new key file that is the present one,
    ///   `.damaged`, `.full`; nothing is changed then, and a key file that was made is gone again.
    public func rewrap(
        _ present: UnlockSecret?, to new: UnlockSecret, argon2id: Argon2idParameters? = nil, now: Int64
    ) throws(KeyStoreError) {
        // Before a key file is made, too.
        try SelfTest.require()
        if role == .device, case .passphrase(let passcode) = new, try !hasPasscode {
            return try setPasscode(passcode, argon2id: argon2id ?? .standard, current: present, now: now)
        }
        let act = AuditNote(.rewrap, "store", reason: "to a \(new.kindOfSecret)")
        try auditingRefusals(of: act, at: now) { () throws(KeyStoreError) in
            try rewrap(present, new, argon2id, act, now)
        }
        try forgetSessionIfRecorded()
    }

    private func rewrap(
        _ present: UnlockSecret?, _ new: UnlockSecret, _ argon2id: Argon2idParameters?, _ act: AuditNote, _ now: Int64
    ) throws(KeyStoreError) {
        let keyFile = try new.newKeyFile(group: unixGroup, isShared: role == .sealer, isPlacedLater: isRehearsed)
        try replaceKeybag(
            present, in: keyFile, now: now,
            by: { (keybag, unlocked) throws(KeyStoreError) in
                var work = argon2id ?? .standard
                if argon2id == nil, unlocked.slot.kind == .passphrase { work = try SlotKey.parameters(of: unlocked.slot) }
                var (slot, kek) = try SlotMaking.make(
                    new, in: keyFile, unixGroup: unixGroup, argon2id: work, now: now)
                if !keybag.hasPasscode, slot.kind == .keyFile { slot = slot.withoutPasscode }
                guard !kek.isSame(as: unlocked.kek) else {
                    throw KeyStoreError(.badInput, directory, "the new key file is the present one")
                }
                return try KeybagMaking(replacing: keybag, unlocked, by: slot, kek: kek)
            },
            { (rows, keys, _) throws(KeyStoreError) in
                rows.act = act
                try record(new, keys, rows)
            })
    }

    /// - Throws: as ``rewrap(_:to:argon2id:now:)`` would for the present secret; nothing is changed.
    public func checkUnlock(_ present: UnlockSecret?) throws(KeyStoreError) {
        let keybag = try keybag()
        let keys = try open(keybag, present).keys
        try storage.read { (rows) throws(KeyStoreError) in
            try keybag.check(RowCipher(store: identifier, keys: OperationKeys(keys, NoSource(), rows)))
        }
    }

    /// A sealer store records the path of its key file.
    private func record(
        _ new: UnlockSecret, _ keys: ClassKeys, _ transaction: RecordTransaction
    ) throws(KeyStoreError) {
        guard role == .sealer else { return }
        var store = try transaction.storeRecord()
        let before = store.record.keyFile
        if case .keyFile(let path) = new {
            store.record.keyFile = try KeyFile(path, group: unixGroup).path.string
        } else {
            store.record.keyFile = nil
        }
        if store.record.keyFile != before { try transaction.update(&store) }
        // It unlocked by itself until now; the session holds for it what it held.
        if before != nil, store.record.keyFile == nil, store.record.stopped == .no {
            try transaction.admit(keys, timeout: nil, to: source)
        }
    }

    /// A store that unlocks by itself needs nothing of the session holder.
    private func forgetSessionIfRecorded() throws(KeyStoreError) {
        guard let source = source as? RecordedSource else { return }
        try storage.read { (rows) throws(KeyStoreError) in
            guard try source.name(in: rows) == RecordedSource.name else { return }
            // Whoever could read them there can read the key file.
            try? source.session.evict(Array(try ClassKeyRow.versions(in: rows)), in: rows)
        }
    }
}
