/// How a store is unlocked, as an operator sees it.
public enum UnlockWay: Equatable, Sendable {
    case passphrase(Argon2idParameters)
    /// The path is known where the store records it.
    case keyFile(path: String?)
}

extension Store {
    /// How the store is unlocked now.
    /// - Throws: `.damaged` unless there is exactly one way.
    public func unlockWay() throws(KeyStoreError) -> UnlockWay {
        try storage.read { (rows) throws(KeyStoreError) in
            let slots = try Keybag(store: identifier, in: rows).slots
            guard let slot = slots.first?.record, slots.count == 1 else {
                throw KeyStoreError(.damaged, "row slot", "there is not exactly one")
            }
            switch slot.kind {
            case .passphrase: return .passphrase(try SlotKey.parameters(of: slot))
            case .keyFile, .keyFileWithoutPasscode:
                let record = try rows.row(.store, identifier).map { (row) throws(KeyStoreError) in
                    try Held<StoreRow>(row).record
                }
                return .keyFile(path: record?.keyFile)
            }
        }
    }
}
