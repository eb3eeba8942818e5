internal import CryptoPrimitives

/// The class keys as they are kept: wrapped once for every way to unlock.
struct Keybag: Sendable {
    let store: String
    let slots: [Held<SlotRow>]
    let classKeys: [Held<ClassKeyRow>]

    /// Reads the keybag without believing it: what unwraps it will tell.
    /// - Parameter name: for one class key alone.
    init(
        store: String, in transaction: any StorageTransaction, only name: ClassKeyName? = nil
    ) throws(KeyStoreError) {
        self.store = store
        var slots: [Held<SlotRow>] = []
        for row in try transaction.rows(.slot, [], limit: nil) { slots.append(try Held(row)) }
        var keys: [Held<ClassKeyRow>] = []
        let matches = name.map { [Match.equal("name", $0.rawValue)] } ?? []
        for row in try transaction.rows(.classKey, matches, limit: nil) { keys.append(try Held(row)) }
        self.slots = slots
        classKeys = keys
    }

    /// Whether the rows are still those that were read.
    /// - Throws: `.damaged` naming one of them that is not as it was written.
    func holds(in transaction: RecordTransaction) throws(KeyStoreError) -> Bool {
        let now = try Keybag(store: store, in: transaction.storage)
        guard now.slots.map(\.row) == slots.map(\.row), now.classKeys.map(\.row) == classKeys.map(\.row) else {
            return false
        }
        try check(transaction.cipher)
        return true
    }

    /// - Throws: `.damaged` naming a row that is not as it was written.
    func check(_ cipher: RowCipher) throws(KeyStoreError) {
        for slot in slots { try cipher.check(slot.row) }
        for wrap in classKeys { try cipher.check(wrap.row) }
    }

    /// Whether items that need a passcode can be kept.
    var hasPasscode: Bool { slots.contains { $0.record.kind != .keyFileWithoutPasscode } }

    /// The highest number of the class's keys, those that are gone included; 0 where there never was one.
    func highestNumber(of name: ClassKeyName) -> Int64 {
        classKeys.lazy.map(\.record).filter { $0.name == name }.map(\.version).max() ?? 0
    }

    /// What a secret unlocked: its slot, the slot's key, and every class key.
    struct Unlocked {
        let slot: SlotRow
        let kek: GuardedBytes
        let keys: ClassKeys
    }

    /// Unwraps every class key by the first slot of those kinds that fits.
    /// - Throws: `.authenticationFailed` when no slot fits, `.damaged` for a wrap that what opens the others of
    ///   its slot does not open, and for a keybag that no secret could unlock.
    func unlock(
        _ kinds: [SlotRow.Kind], of directory: String, _ derive: (SlotRow) throws(KeyStoreError) -> GuardedBytes
    ) throws(KeyStoreError) -> Unlocked {
        for slot in slots where kinds.contains(slot.record.kind) {
            let kek = try derive(slot.record)
            var unwrapped: ClassKeys = [:]
            var failed: Held<ClassKeyRow>?
            for wrap in classKeys where wrap.record.slot == slot.record.identifier && !wrap.record.isGone {
                guard let key = try unwrap(wrap.record, of: slot.record, under: kek) else {
                    failed = wrap
                    continue
                }
                unwrapped[ClassKeyVersion(wrap.record.name, wrap.record.version)] = key
            }
            if let failed, !unwrapped.isEmpty {
                throw KeyStoreError(
                    .damaged, failed.row.subject,
                    "it is not as it was written: what opens the others of its slot does not open it")
            }
            let names = Set(unwrapped.keys.map(\.name))
            if !unwrapped.isEmpty, let missing = slot.record.kind.classKeys.first(where: { !names.contains($0) }) {
                let name = "row class_key/\(slot.record.identifier)/\(missing.rawValue)"
                throw KeyStoreError(.damaged, name, "it is not there")
            }
            if !unwrapped.isEmpty { return Unlocked(slot: slot.record, kek: kek, keys: unwrapped) }
        }
        try checkWhole(ClassKeyName.allCases)
        let isKeyFile = kinds.contains(.keyFile)
        guard slots.contains(where: { kinds.contains($0.record.kind) }) else {
            let (needed, given) = isKeyFile ? ("a passphrase", "a key file") : ("a key file", "a passphrase")
            throw KeyStoreError(
                .authenticationFailed, directory, "\(needed) unlocks it, not \(given)",
                hint: "give \(isKeyFile ? "--passphrase-fd N" : "--key-file FILE")")
        }
        throw Self.notUnlocked(directory, isKeyFile ? "the key file does not unlock it" : "the passphrase is wrong")
    }

    /// One class key by a key file, without the others; nil when there is none of that number.
    func classKey(
        _ key: ClassKeyVersion, keyFile kek: GuardedBytes, of directory: String
    ) throws(KeyStoreError) -> GuardedBytes? {
        let name = key.name
        guard slots.contains(where: { $0.record.kind == .keyFile }) else {
            try checkWhole([name])
            throw KeyStoreError(.damaged, slots.first?.row.subject ?? "row slot", "there is no slot for its key file")
        }
        for slot in slots where slot.record.kind == .keyFile {
            for wrap in classKeys
            where wrap.record.slot == slot.record.identifier && wrap.record.name == name
                && wrap.record.version == key.version
            {
                if let key = try unwrap(wrap.record, of: slot.record, under: kek) { return key }
            }
        }
        try checkWhole([name])
        guard classKeys.contains(where: { $0.record.name == name && $0.record.version == key.version }) else {
            return nil
        }
        throw Self.notUnlocked(directory, "the key file does not unlock it")
    }

    /// No wrap opens: where all of them, or their slot, were changed, it looks the same.
    private static func notUnlocked(_ directory: String, _ reason: String) -> KeyStoreError {
        KeyStoreError(
            .authenticationFailed, directory, reason,
            hint: "if it is the right one, the slot or all of its class keys were changed: restore a backup")
    }

    /// That slots and class keys refer to each other, so that it was the secret which did not fit.
    /// - Throws: `.damaged` naming a class key without its slot, or a slot without that class key.
    private func checkWhole(_ names: [ClassKeyName]) throws(KeyStoreError) {
        let known = Set(slots.map(\.record.identifier))
        if let orphan = classKeys.first(where: { !known.contains($0.record.slot) }) {
            throw KeyStoreError(.damaged, orphan.row.subject, "its slot is not there")
        }
        guard !slots.isEmpty else { throw KeyStoreError(.damaged, "row slot", "there is none") }
        for slot in slots {
            let wraps = classKeys.filter { $0.record.slot == slot.record.identifier && !$0.record.isGone }
            guard !wraps.isEmpty else {
                throw KeyStoreError(.damaged, slot.row.subject, "its class keys are not there")
            }
            let expected = names.filter(slot.record.kind.classKeys.contains)
            for name in expected where !wraps.contains(where: { $0.record.name == name }) {
                throw KeyStoreError(
                    .damaged, "row class_key/\(slot.record.identifier)/\(name.rawValue)", "it is not there")
            }
        }
    }

    /// A class key wrapped for a slot, and opened again: without this wrap, all that is under the key is lost.
    /// - Throws: `.unavailable` where it does not open.
    static func wrap(
        _ key: GuardedBytes, _ version: ClassKeyVersion, store: String, slot: SlotRow, under kek: GuardedBytes
    ) throws(KeyStoreError) -> ClassKeyRow {
        let context = context(store: store, slot: slot.identifier, name: version.name, version: version.version)
        let row: ClassKeyRow
        do {
            let wrap = try KeyWrap.wrap(key, key: kek, associatedData: context)
            row = ClassKeyRow(slot: slot.identifier, name: version.name, version: version.version, wrap: wrap)
        } catch { throw KeyStoreError(error, "class key \(version.name.rawValue)") }
        guard try unwrap(row, store: store, of: slot, under: kek)?.isSame(as: key) == true else {
            throw SelfTest.doesNotOpen("class key \(version.name.rawValue)")
        }
        return row
    }

    private func unwrap(
        _ wrap: ClassKeyRow, of slot: SlotRow, under kek: GuardedBytes
    ) throws(KeyStoreError) -> GuardedBytes? {
        try Self.unwrap(wrap, store: store, of: slot, under: kek)
    }

    private static func unwrap(
        _ wrap: ClassKeyRow, store: String, of slot: SlotRow, under kek: GuardedBytes
    ) throws(KeyStoreError) -> GuardedBytes? {
        let context = context(store: store, slot: slot.identifier, name: wrap.name, version: wrap.version)
        do {
            let key = try KeyWrap.unwrap(wrap.wrap, key: kek, associatedData: context)
            return key.count == KeyWrap.keyByteCount ? key : nil
        } catch {
            if case .notAuthentic = error { return nil }
            if case .wrongLength = error { return nil }
            throw KeyStoreError(error, "class key \(wrap.name.rawValue)")
        }
    }

    /// What a wrapped class key is bound to: store, slot, name and version. The slot's own parameters are bound by the
    /// seal of its row, so that an edit of them is told from a wrong secret once the store is unlocked.
    static func context(store: String, slot: String, name: ClassKeyName, version: Int64) -> [UInt8] {
        var context = AssociatedData("waxwing key store 1: class key")
        context.append(store)
        context.append(slot)
        context.append(name.rawValue)
        context.append(version)
        return context.bytes
    }
}
