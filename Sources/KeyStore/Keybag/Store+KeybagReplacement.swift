extension Store {
    /// Puts one way to unlock in the place of all there were, whose wraps are shredded, in one transaction. Class keys stay,
    /// and sessions with them, but for the one that needs a passcode: it goes with the passcode, and a fresh one is within
    /// reach as long as the store is unlocked, and no longer.
    /// - Parameters:
    ///   - present: what unlocks it now; nil for a sealer store that records its key file.
    ///   - making: makes what takes the place of it.
    ///   - also: what belongs to the same transaction.
    /// - Throws: `.authenticationFailed` for the wrong secret, `.damaged`, `.busy` when others go on replacing it.
    func replaceKeybag(
        _ present: UnlockSecret?, now: Int64,
        by making: (Keybag, Keybag.Unlocked) throws(KeyStoreError) -> KeybagMaking,
        _ also: (RecordTransaction, _ old: ClassKeys, _ new: ClassKeys) throws(KeyStoreError) -> Void
    ) throws(KeyStoreError) {
        // Argon2id takes its time, and nobody waits for it: a keybag that was changed meanwhile is asked again.
        for _ in 0..<4 {
            let keybag = try keybag()
            let unlocked = try open(keybag, present)
            let making = try making(keybag, unlocked)
            let isDone = try write(at: now, with: unlocked.keys) { (rows) throws(KeyStoreError) in
                guard try keybag.isCurrent(in: rows.storage) else { return false }
                try keybag.check(rows.cipher)
                for wrap in keybag.classKeys { try rows.delete(wrap) }
                for slot in keybag.slots { try rows.delete(slot) }
                try rows.insert(making.slot)
                for wrap in making.wraps { try rows.insert(wrap) }
                rows.noteShredding()
                try also(rows, unlocked.keys, making.keys)
                try pass(from: unlocked.keys, to: making.keys, rows)
                return true
            }
            if isDone { return }
        }
        throw KeyStoreError(.busy, directory, "its class keys are being replaced")
    }

    /// Has the session holder let go what is gone, and have what is new, if the store is unlocked.
    private func pass(
        from old: ClassKeys, to new: ClassKeys, _ rows: RecordTransaction
    ) throws(KeyStoreError) {
        let gone = old.keys.filter { new[$0] == nil }
        if !gone.isEmpty { try source.evict(gone, in: rows.storage) }
        let fresh = new.filter { old[$0.key] == nil }
        guard !fresh.isEmpty else { return }
        let unlocked = try rows.cipher.keys.currentVersion(of: .whenUnlocked)
        guard try source.fetch(unlocked, in: rows.storage) != nil else { return }
        let timeout = try source.secondsUntilLock(in: rows.storage).map { max(1, $0) }
        try source.put(fresh, timeout: timeout, in: rows.storage)
    }
}
