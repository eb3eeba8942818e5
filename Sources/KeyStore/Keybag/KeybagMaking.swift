internal import CryptoPrimitives

/// A keybag in the making: fresh class keys, wrapped for one way to unlock.
struct KeybagMaking {
    let slot: SlotRow
    let wraps: [ClassKeyRow]
    let keys: [ClassKeyName: GuardedBytes]

    init(store: String, slot: SlotRow, kek: GuardedBytes) throws(KeyStoreError) {
        self.slot = slot
        var wraps: [ClassKeyRow] = []
        var keys: [ClassKeyName: GuardedBytes] = [:]
        for name in ClassKeyName.allCases {
            do {
                let key = try GuardedBytes(randomCount: KeyWrap.keyByteCount)
                let context = Keybag.context(store: store, slot: slot.identifier, name: name, version: 1)
                let wrap = try KeyWrap.wrap(key, key: kek, associatedData: context)
                wraps.append(ClassKeyRow(slot: slot.identifier, name: name, version: 1, wrap: wrap))
                keys[name] = key
            } catch {
                throw KeyStoreError(error, "class key \(name.rawValue)")
            }
        }
        self.wraps = wraps
        self.keys = keys
    }
}
