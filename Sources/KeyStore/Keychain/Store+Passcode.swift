/// What a passcode means: items of `when-passcode-set-this-device-only` are there as long as one is set. A key file that
/// a store was made with stands in for one; the key file in the place of a removed passcode does not.
extension Store {
    /// Whether items that need a passcode can be kept.
    public var hasPasscode: Bool {
        get throws(KeyStoreError) {
            try keybag().slots.contains { $0.record.kind != .keyFileWithoutPasscode }
        }
    }

    /// Removes the passcode: what needs one is destroyed with its class key, in one transaction, and a key file unlocks
    /// the store from then on. The file is made if it is not there; its path is not recorded.
    /// - Parameter current: the passcode, or the key file in place of one.
    /// - Throws: `.authenticationFailed`, `.wrongRole` for a sealer store, `.refused` when none is set.
    public func removePasscode(
        _ current: UnlockSecret?, keyFile path: String, now: Int64
    ) throws(KeyStoreError) {
        let act = AuditNote(.passcode, "store, removed")
        return try auditingRefusals(of: act, at: now) { () throws(KeyStoreError) in
            try removePasscode(current, path, act, now)
        }
    }

    private func removePasscode(
        _ current: UnlockSecret?, _ path: String, _ act: AuditNote, _ now: Int64
    ) throws(KeyStoreError) {
        let keybag = try passcodeKeybag()
        guard try hasPasscode else { throw KeyStoreError(.refused, directory, "no passcode is set") }
        let keys = try open(keybag, current).keys.filter { $0.key.name != .whenPasscodeSetThisDeviceOnly }
        let slot = SlotRow(
            identifier: try RandomName.make(), kind: .keyFileWithoutPasscode,
            salt: try RandomName.bytes(Argon2id.saltByteCount), argon2id: nil, created: now)
        let making = try KeybagMaking(store: identifier, slot: slot, kek: try newKeyFile(path), keys: keys)
        try puttingBackEvicted { (evicted) throws(KeyStoreError) in
            try write(at: now, with: keys) { (rows) throws(KeyStoreError) in
                rows.act = act
                try rows.destroyAll(under: .whenPasscodeSetThisDeviceOnly)
                try rows.replace(keybag, with: making)
                let gone = keybag.classKeys.map(\.record).filter { $0.name == .whenPasscodeSetThisDeviceOnly }
                try evicted.evict(
                    gone.map { ClassKeyVersion($0.name, $0.version) }, from: source, in: rows.storage)
            }
        }
    }

    /// Sets a passcode where one was removed, with a fresh class key for what needs one.
    /// - Parameter current: the key file.
    /// - Throws: `.authenticationFailed`, `.wrongRole` for a sealer store, `.refused` when one is set.
    public func setPasscode(
        _ passcode: Passphrase, argon2id: Argon2idParameters = .standard, current: UnlockSecret?, now: Int64
    ) throws(KeyStoreError) {
        let act = AuditNote(.passcode, "store, set")
        return try auditingRefusals(of: act, at: now) { () throws(KeyStoreError) in
            try setPasscode(passcode, argon2id, current, act, now)
        }
    }

    private func setPasscode(
        _ passcode: Passphrase, _ argon2id: Argon2idParameters, _ current: UnlockSecret?, _ act: AuditNote, _ now: Int64
    ) throws(KeyStoreError) {
        let keybag = try passcodeKeybag()
        guard try !hasPasscode else { throw KeyStoreError(.refused, directory, "a passcode is set already") }
        var keys = try open(keybag, current).keys
        let fresh: GuardedBytes
        do { fresh = try GuardedBytes(randomCount: KeyWrap.keyByteCount) } catch {
            throw KeyStoreError(error, "class key \(ClassKeyName.whenPasscodeSetThisDeviceOnly.rawValue)")
        }
        let version = ClassKeyVersion(.whenPasscodeSetThisDeviceOnly, 1)
        keys[version] = fresh
        let slot = SlotRow(
            identifier: try RandomName.make(), kind: .passphrase, salt: try RandomName.bytes(Argon2id.saltByteCount),
            argon2id: argon2id, created: now)
        let making = try KeybagMaking(store: identifier, slot: slot, kek: try SlotKey.derive(slot, passcode), keys: keys)
        try write(at: now, with: keys) { (rows) throws(KeyStoreError) in
            rows.act = act
            try rows.replace(keybag, with: making)
            // As long as the phone is unlocked, and no longer.
            let current = try rows.cipher.keys.currentVersion(of: .whenUnlocked)
            guard try source.fetch(current, in: rows.storage) != nil else { return }
            let timeout = try source.secondsUntilLock(in: rows.storage).map { max(1, $0) }
            try source.put([version: fresh], timeout: timeout, in: rows.storage)
        }
    }

    /// The key of a key file, which is made if it is not there; of one that is only rehearsed, a key of no file.
    private func newKeyFile(_ path: String) throws(KeyStoreError) -> GuardedBytes {
        let file = try KeyFile(path, group: unixGroup)
        guard isRehearsed else {
            try file.makeIfAbsent()
            return try file.read()
        }
        do { return try GuardedBytes(randomCount: KeyFile.byteCount) } catch { throw KeyStoreError(error, path) }
    }

    private func passcodeKeybag() throws(KeyStoreError) -> Keybag {
        guard role == .device else {
            throw KeyStoreError(.wrongRole, directory, "it is a sealer store, and a passcode is a device's")
        }
        return try keybag()
    }
}

extension RecordTransaction {
    /// Whether items that need a passcode cannot be kept.
    func hasNoPasscode() throws(KeyStoreError) -> Bool {
        try all(SlotRow.self).allSatisfy { $0.record.kind == .keyFileWithoutPasscode }
    }

    /// Deletes every row whose secret is of that class, whatever it is.
    fileprivate func destroyAll(under name: ClassKeyName) throws(KeyStoreError) {
        for table in Table.allCases where table.carriesSecret {
            for row in try storage.rows(table, [.equal("class_key", name.rawValue)], limit: nil) {
                try cipher.check(row)
                try destroy(table.record, row)
            }
        }
    }

    private func destroy<R: Record>(_: R.Type, _ row: StoredRow) throws(KeyStoreError) {
        let held = try Held<R>(row)
        let reason = "there is no passcode any more"
        switch held.record {
        case let item as ItemRow: audit(.itemDelete, ItemRow.subject(item.service, item.account), reason: reason)
        case let epoch as HeldEpochRow: audit(.destroy, epoch.subject, kid: epoch.kid, reason: reason)
        case let key as SplitKeyRow:
            audit(.destroy, "conversation \(key.conversation)", reason: "\(key.identifier): \(reason)")
        default: audit(.destroy, "\(R.table.rawValue) \(held.record.identifier)", reason: reason)
        }
        try delete(held)
    }

    /// Puts one way to unlock in the place of all there were.
    /// - Throws: `.conflict` when another process changed them meanwhile.
    fileprivate func replace(_ keybag: Keybag, with making: KeybagMaking) throws(KeyStoreError) {
        guard try keybag.isCurrent(in: storage) else {
            throw KeyStoreError(.conflict, "passcode", "it was changed meanwhile by another process")
        }
        try keybag.check(cipher)
        for wrap in keybag.classKeys { try delete(wrap) }
        for slot in keybag.slots { try delete(slot) }
        try insert(making.slot)
        for wrap in making.wraps { try insert(wrap) }
        noteShredding()
    }
}
