extension Store {
    /// The slots and class keys, not yet believed.
    func keybag() throws(KeyStoreError) -> Keybag {
        try storage.read { (rows) throws(KeyStoreError) in try Keybag(store: identifier, in: rows) }
    }

    /// Unwraps the class keys.
    /// - Parameter secret: nil for the key file that a sealer store records.
    /// - Throws: `.authenticationFailed` for the wrong secret, `.damaged`, `.badInput` when a secret is needed.
    func open(_ keybag: Keybag, _ secret: UnlockSecret?) throws(KeyStoreError) -> Keybag.Unlocked {
        if let secret { return try keybag.unlock(with: secret, group: unixGroup, of: directory) }
        let recorded = try storage.read { (rows) throws(KeyStoreError) in
            try rows.row(.store, identifier).map { (row) throws(KeyStoreError) in try Held<StoreRow>(row).record }
        }
        guard let recorded, role == .sealer, let path = recorded.keyFile else {
            throw KeyStoreError(.badInput, directory, "a passphrase or the key file is needed to unlock it")
        }
        return try keybag.unlock(with: .keyFile(path: path), group: unixGroup, of: directory)
    }
}
