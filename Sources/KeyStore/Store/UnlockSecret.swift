/// What unlocks a store.
public enum UnlockSecret: Sendable {
    case passphrase(Passphrase)
    /// A file of 32 random bytes, mode 0600.
    case keyFile(path: String)

    /// What it is, as audit entries say.
    var kindOfSecret: String {
        switch self {
        case .passphrase: "passphrase"
        case .keyFile: "key file"
        }
    }
}
