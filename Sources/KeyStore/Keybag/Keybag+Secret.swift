extension Keybag {
    /// Unwraps every class key by what a person gives.
    /// - Parameter directory: the store's, as errors name it.
    /// - Throws: `.authenticationFailed` for the wrong secret, `.damaged`, and what reading a key file comes to.
    func unlock(
        with secret: UnlockSecret, group: UInt32?, of directory: String
    ) throws(KeyStoreError) -> Unlocked {
        switch secret {
        case .passphrase(let passphrase):
            return try unlock([.passphrase], of: directory) { (slot) throws(KeyStoreError) in try SlotKey.derive(slot, passphrase) }
        case .keyFile(let path):
            // First, so that a file that is not there is told from one that does not fit.
            return try unlock(byKeyFile: try KeyFile(path, group: group).read(), of: directory)
        }
    }

    /// The same by what is in a key file.
    func unlock(byKeyFile kek: GuardedBytes, of directory: String) throws(KeyStoreError) -> Unlocked {
        try unlock([.keyFile, .keyFileWithoutPasscode], of: directory) { (_) throws(KeyStoreError) in kek }
    }
}
