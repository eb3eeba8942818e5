internal import CryptoPrimitives

/// A keybag in the making: class keys, wrapped for one way to unlock.
struct KeybagMaking {
    let slot: SlotRow
    let wraps: [ClassKeyRow]
    let keys: ClassKeys

    /// Fresh class keys.
    init(store: String, slot: SlotRow, kek: GuardedBytes) throws(KeyStoreError) {
        var keys: ClassKeys = [:]
        for name in slot.kind.classKeys {
            do { keys[ClassKeyVersion(name, 1)] = try GuardedBytes(randomCount: KeyWrap.keyByteCount) } catch {
                throw KeyStoreError(error, "class key \(name.rawValue)")
            }
        }
        try self.init(store: store, slot: slot, kek: kek, keys: keys)
    }

    /// The class keys that there are, for another way to unlock.
    init(store: String, slot: SlotRow, kek: GuardedBytes, keys: ClassKeys) throws(KeyStoreError) {
        self.slot = slot
        self.keys = keys
        for name in slot.kind.classKeys where !keys.keys.contains(where: { $0.name == name }) {
            throw KeyStoreError(.damaged, "class key \(name.rawValue)", "it is not there")
        }
        var wraps: [ClassKeyRow] = []
        for (version, key) in keys {
            wraps.append(try Keybag.wrap(key, version, store: store, slot: slot, under: kek))
        }
        self.wraps = wraps
    }
}
