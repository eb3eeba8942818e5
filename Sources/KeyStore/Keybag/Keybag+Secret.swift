extension Keybag {
    /// Unwraps every class key by what a person gives.
    /// - Throws: `.authenticationFailed` for the wrong secret, `.damaged`, and what reading a key file comes to.
    func unlock(with secret: UnlockSecret, group: UInt32?) throws(KeyStoreError) -> [ClassKeyName: GuardedBytes] {
        switch secret {
        case .passphrase(let passphrase):
            try unlock(.passphrase) { (slot) throws(KeyStoreError) in try SlotKey.derive(slot, passphrase) }
        case .keyFile(let path):
            try unlock(.keyFile, by: try KeyFile(path, group: group))
        }
    }

    func unlock(_ kind: SlotRow.Kind, by file: KeyFile) throws(KeyStoreError) -> [ClassKeyName: GuardedBytes] {
        try unlock(kind) { (_) throws(KeyStoreError) in try file.read() }
    }
}
