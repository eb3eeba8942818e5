internal import CryptoPrimitives

/// A keybag in the making: class keys, wrapped for one way to unlock.
struct KeybagMaking {
    let slot: SlotRow
    let wraps: [ClassKeyRow]
    let keys: [ClassKeyName: GuardedBytes]

    /// Class keys that are there already, wrapped for another way to unlock.
    init(
        store: String, slot: SlotRow, kek: GuardedBytes, keys: [ClassKeyName: GuardedBytes]
    ) throws(KeyStoreError) {
        self.slot = slot
        self.keys = keys
        var wraps: [ClassKeyRow] = []
        for name in slot.kind.classKeys {
            guard let key = keys[name] else {
                throw KeyStoreError(.damaged, "class key \(name.rawValue)", "it is not there")
            }
            do {
                let context = Keybag.context(store: store, slot: slot.identifier, name: name, version: 1)
                let wrap = try KeyWrap.wrap(key, key: kek, associatedData: context)
                wraps.append(ClassKeyRow(slot: slot.identifier, name: name, version: 1, wrap: wrap))
            } catch {
                throw KeyStoreError(error, "class key \(name.rawValue)")
            }
        }
        self.wraps = wraps
    }

    /// Fresh class keys.
    init(store: String, slot: SlotRow, kek: GuardedBytes) throws(KeyStoreError) {
        var keys: [ClassKeyName: GuardedBytes] = [:]
        for name in slot.kind.classKeys {
            do { keys[name] = try GuardedBytes(randomCount: KeyWrap.keyByteCount) } catch {
                throw KeyStoreError(error, "class key \(name.rawValue)")
            }
        }
        try self.init(store: store, slot: slot, kek: kek, keys: keys)
    }
}
