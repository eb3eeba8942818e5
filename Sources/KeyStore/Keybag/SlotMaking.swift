/// A new way to unlock, and its key-encryption key.
enum SlotMaking {
    /// A key file is made if it is not there.
    /// - Parameter keyFile: that file, where it is to be taken away again if nothing comes of it.
    static func make(
        _ secret: UnlockSecret, in keyFile: NewKeyFile? = nil, unixGroup: UInt32?, argon2id: Argon2idParameters, now: Int64
    ) throws(KeyStoreError) -> (slot: SlotRow, kek: GuardedBytes) {
        try SelfTest.require()
        let name = try RandomName.make()
        let salt = try RandomName.bytes(Argon2id.saltByteCount)
        switch secret {
        case .passphrase(let passphrase):
            try SelfTest.requireForPassphrase()
            let slot = SlotRow(identifier: name, kind: .passphrase, salt: salt, argon2id: argon2id, created: now)
            return (slot, try SlotKey.derive(slot, passphrase))
        case .keyFile(let path):
            let file = if let keyFile { keyFile } else { try NewKeyFile(path, group: unixGroup) }
            let slot = SlotRow(identifier: name, kind: .keyFile, salt: salt, argon2id: nil, created: now)
            return (slot, try file.key())
        }
    }
}
