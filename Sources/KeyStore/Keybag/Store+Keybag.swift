extension Store {
    /// The slots and class keys, not yet believed.
    func keybag() throws(KeyStoreError) -> Keybag {
        try storage.read { (rows) throws(KeyStoreError) in try Keybag(store: identifier, in: rows) }
    }

    /// Every class key, by what unlocks the store.
    /// - Parameter secret: nil for a sealer store that knows its key file.
    /// - Throws: `.authenticationFailed` for the wrong secret, `.damaged`, `.badInput` when a secret is needed.
    func classKeys(
        of keybag: Keybag, _ secret: UnlockSecret?
    ) throws(KeyStoreError) -> [ClassKeyName: GuardedBytes] {
        let file: KeyFile
        switch secret {
        case .passphrase(let passphrase):
            return try keybag.unlock([.passphrase]) { (slot) throws(KeyStoreError) in
                try SlotKey.derive(slot, passphrase)
            }
        case .keyFile(let path): file = try KeyFile(path, group: unixGroup)
        case nil:
            guard let keyFile else {
                throw KeyStoreError(.badInput, directory, "a passphrase or the key file is needed to unlock it")
            }
            file = keyFile
        }
        return try keybag.unlock([.keyFile, .keyFileWithoutPasscode]) { (_) throws(KeyStoreError) in try file.read() }
    }
}

extension Keybag {
    /// That each row of it is as it was written.
    func check(_ cipher: RowCipher) throws(KeyStoreError) {
        for slot in slots { try cipher.check(slot.row) }
        for wrap in classKeys { try cipher.check(wrap.row) }
    }
}
