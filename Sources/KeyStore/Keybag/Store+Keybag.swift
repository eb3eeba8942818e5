extension Store {
    /// The slots and class keys, not yet believed.
    func keybag() throws(KeyStoreError) -> Keybag {
        try storage.read { (rows) throws(KeyStoreError) in try Keybag(store: identifier, in: rows) }
    }

    /// Has the body try what it does with the class keys, until the keybag is in its transaction what it was when it was
    /// opened. Argon2id takes its time, and nobody waits for it: one that was changed meanwhile is opened anew.
    /// - Parameter secret: as of ``open(_:_:)``.
    /// - Parameter attempt: nil when the keybag is another by now (``Keybag/holds(in:)``), and nothing was done.
    /// - Throws: `.busy` when others go on replacing it, besides what opening it and the body throw.
    func withKeybag<Result>(
        openedBy secret: UnlockSecret?,
        _ attempt: (Keybag, Keybag.Unlocked) throws(KeyStoreError) -> Result?
    ) throws(KeyStoreError) -> Result {
        for _ in 0..<4 {
            let keybag = try keybag()
            if let result = try attempt(keybag, try open(keybag, secret)) { return result }
        }
        throw KeyStoreError(.busy, directory, "its class keys are being replaced")
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
