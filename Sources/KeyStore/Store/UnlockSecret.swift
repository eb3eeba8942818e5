/// What unlocks a store.
public enum UnlockSecret: Sendable {
    case passphrase(Passphrase)
    /// A file of 32 random bytes, mode 0600, or 0640 for the unix group of a sealer store.
    case keyFile(path: String)

    /// What it is, as audit entries say.
    var kindOfSecret: String {
        switch self {
        case .passphrase: "passphrase"
        case .keyFile: "key file"
        }
    }

    /// The key file that is to unlock something from now on; nil for a passphrase.
    /// - Parameters: as of ``NewKeyFile``.
    func newKeyFile(
        group: UInt32?, isShared: Bool = false, isPlacedLater: Bool = false
    ) throws(KeyStoreError) -> NewKeyFile? {
        guard case .keyFile(let path) = self else { return nil }
        return try NewKeyFile(path, group: group, isShared: isShared, isPlacedLater: isPlacedLater)
    }
}
