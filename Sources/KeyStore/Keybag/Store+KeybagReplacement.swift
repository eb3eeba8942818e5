extension Store {
    /// Puts one way to unlock in the place of all there were, whose wraps are shredded, in one transaction. Class keys stay,
    /// and sessions with them, but for the one that needs a passcode: it goes with the passcode, and a fresh one is within
    /// reach as long as the store is unlocked, and no longer.
    /// - Parameters:
    ///   - present: what unlocks it now; nil for a sealer store that records its key file.
    ///   - keyFile: what is to unlock it, if it is a key file: taken away again if it was made for this and nothing comes of
    ///     it; left where it is when the commit may have taken place.
    ///   - making: makes what takes the place of it.
    ///   - also: what belongs to the same transaction.
    /// - Throws: `.authenticationFailed` for the wrong secret, `.damaged`, `.busy` when others go on replacing it.
    func replaceKeybag(
        _ present: UnlockSecret?, in keyFile: NewKeyFile? = nil, now: Int64,
        by making: (Keybag, Keybag.Unlocked) throws(KeyStoreError) -> KeybagMaking,
        _ also: (RecordTransaction, _ old: ClassKeys, _ new: ClassKeys) throws(KeyStoreError) -> Void
    ) throws(KeyStoreError) {
        var last: RecordTransaction?
        do throws(KeyStoreError) { try replaceKeybag(present, now: now, &last, by: making, also) } catch {
            if last?.mayBeCommitted != true { keyFile?.withdraw { key in isUnlocked(by: key) } }
            throw error
        }
    }

    /// Whether a key file with that key unlocks it, or it cannot be told.
    private func isUnlocked(by kek: GuardedBytes) -> Bool {
        do throws(KeyStoreError) {
            _ = try keybag().unlock(byKeyFile: kek, of: directory)
            return true
        } catch { return error.kind != .authenticationFailed }
    }

    private func replaceKeybag(
        _ present: UnlockSecret?, now: Int64, _ last: inout RecordTransaction?,
        by making: (Keybag, Keybag.Unlocked) throws(KeyStoreError) -> KeybagMaking,
        _ also: (RecordTransaction, _ old: ClassKeys, _ new: ClassKeys) throws(KeyStoreError) -> Void
    ) throws(KeyStoreError) {
        try withKeybag(openedBy: present) { (keybag, unlocked) throws(KeyStoreError) in
            let making = try making(keybag, unlocked)
            return try write(at: now, with: unlocked.keys) { (rows) throws(KeyStoreError) -> Void? in
                last = rows
                guard try keybag.holds(in: rows) else { return nil }
                for wrap in keybag.classKeys { try rows.delete(wrap) }
                for slot in keybag.slots { try rows.delete(slot) }
                try rows.insert(making.slot)
                for wrap in making.wraps { try rows.insert(wrap) }
                rows.noteShredding()
                try also(rows, unlocked.keys, making.keys)
                try pass(from: unlocked.keys, to: making.keys, rows)
                return ()
            }
        }
    }

    /// Has the session holder let go what is gone, and have what is new, if the store is unlocked.
    private func pass(
        from old: ClassKeys, to new: ClassKeys, _ rows: RecordTransaction
    ) throws(KeyStoreError) {
        let gone = old.keys.filter { new[$0] == nil }
        if !gone.isEmpty { try rows.evict(gone, from: source) }
        let fresh = new.filter { old[$0.key] == nil }
        guard !fresh.isEmpty else { return }
        let unlocked = try rows.cipher.keys.currentVersion(of: .whenUnlocked)
        guard try source.fetch(unlocked, in: rows.storage) != nil else { return }
        try rows.admit(fresh, timeout: try source.timeoutOfFurther(in: rows.storage), to: source)
    }
}
