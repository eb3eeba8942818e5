internal import CryptoPrimitives

/// A keybag in the making: class keys, wrapped for one way to unlock.
struct KeybagMaking {
    let slot: SlotRow
    let wraps: [ClassKeyRow]
    let keys: ClassKeys

    /// Fresh class keys.
    init(store: String, slot: SlotRow, kek: GuardedBytes) throws(KeyStoreError) {
        var keys: ClassKeys = [:]
        for name in slot.kind.classKeys { keys[ClassKeyVersion(name, 1)] = try Self.fresh(name) }
        try self.init(store: store, slot: slot, kek: kek, keys: keys)
    }

    /// The class keys that there are, for another way to unlock. What needs a passcode loses its key with the passcode, and
    /// gets a fresh one with the next: of a number that none of its keys ever had, so that no row and no session holder that
    /// was left behind can take it for theirs.
    init(
        replacing keybag: Keybag, _ unlocked: Keybag.Unlocked, by slot: SlotRow, kek: GuardedBytes
    ) throws(KeyStoreError) {
        let name = ClassKeyName.whenPasscodeSetThisDeviceOnly
        let highest = keybag.highestNumber(of: name)
        var keys = unlocked.keys
        if slot.kind == .keyFileWithoutPasscode {
            keys = keys.filter { $0.key.name != name }
            let gone = ClassKeyRow(slot: slot.identifier, name: name, version: highest, wrap: [])
            try self.init(store: keybag.store, slot: slot, kek: kek, keys: keys, gone: [gone])
            return
        }
        if unlocked.slot.kind == .keyFileWithoutPasscode {
            keys[ClassKeyVersion(name, highest + 1)] = try Self.fresh(name)
        }
        try self.init(store: keybag.store, slot: slot, kek: kek, keys: keys)
    }

    private init(
        store: String, slot: SlotRow, kek: GuardedBytes, keys: ClassKeys, gone: [ClassKeyRow] = []
    ) throws(KeyStoreError) {
        self.slot = slot
        self.keys = keys
        for name in slot.kind.classKeys where !keys.keys.contains(where: { $0.name == name }) {
            throw KeyStoreError(.damaged, "class key \(name.rawValue)", "it is not there")
        }
        var wraps = gone
        for (version, key) in keys {
            wraps.append(try Keybag.wrap(key, version, store: store, slot: slot, under: kek))
        }
        self.wraps = wraps
    }

    private static func fresh(_ name: ClassKeyName) throws(KeyStoreError) -> GuardedBytes {
        do { return try GuardedBytes(randomCount: KeyWrap.keyByteCount) } catch {
            throw KeyStoreError(error, "class key \(name.rawValue)")
        }
    }
}
