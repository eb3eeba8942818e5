extension Store {
    /// The slots and class keys, not yet believed.
    func keybag() throws(KeyStoreError) -> Keybag {
        try storage.read { (rows) throws(KeyStoreError) in try Keybag(store: identifier, in: rows) }
    }

    /// Unwraps the class keys.
    /// - Parameter secret: nil for the key file that a sealer store records.
    /// - Throws: `.authenticationFailed` for the wrong secret, `.damaged`, `.badInput` when a secret is needed.
    func open(_ keybag: Keybag, _ secret: UnlockSecret?) throws(KeyStoreError) -> Keybag.Unlocked {
        let path: String
        switch secret {
        case .passphrase(let passphrase):
            return try keybag.unlock([.passphrase]) { (slot) throws(KeyStoreError) in
                try SlotKey.derive(slot, passphrase)
            }
        case .keyFile(let given): path = given
        case nil:
            let recorded = try storage.read { (rows) throws(KeyStoreError) in
                try rows.row(.store, identifier).map { (row) throws(KeyStoreError) in try Held<StoreRow>(row).record }
            }
            guard let recorded, role == .sealer, let known = recorded.keyFile else {
                throw KeyStoreError(.badInput, directory, "a passphrase or the key file is needed to unlock it")
            }
            path = known
        }
        let file = try KeyFile(path, group: unixGroup)
        return try keybag.unlock([.keyFile, .keyFileWithoutPasscode]) { (_) throws(KeyStoreError) in try file.read() }
    }
}
