/// What a passcode means: items of `when-passcode-set-this-device-only` are there as long as one is set. A key file that
/// a store was made with stands in for one; the key file in the place of a removed passcode does not.
extension Store {
    /// Whether items that need a passcode can be kept.
    public var hasPasscode: Bool {
        get throws(KeyStoreError) { try keybag().hasPasscode }
    }

    /// Removes the passcode: what needs one is destroyed with its class key, in one transaction, and a key file unlocks
    /// the store from then on. The file is made if it is not there; its path is not recorded.
    /// - Parameter current: the passcode, or the key file in place of one.
    /// - Throws: `.authenticationFailed`, `.wrongRole` for a sealer store, `.refused` when none is set.
    public func removePasscode(
        _ current: UnlockSecret?, keyFile path: String, now: Int64
    ) throws(KeyStoreError) {
        let keyFile = try NewKeyFile(path, group: unixGroup, isPlacedLater: isRehearsed)
        try replacePasscode("removed", current, in: keyFile, now) { (keybag, unlocked) throws(KeyStoreError) in
            try requirePasscode(isSet: true, keybag)
            let slot = SlotRow(
                identifier: try RandomName.make(), kind: .keyFileWithoutPasscode,
                salt: try RandomName.bytes(Argon2id.saltByteCount), argon2id: nil, created: now)
            return try KeybagMaking(replacing: keybag, unlocked, by: slot, kek: try keyFile.key())
        }
    }

    /// Sets a passcode where one was removed, with a fresh class key for what needs one.
    /// - Parameter current: the key file.
    /// - Throws: `.authenticationFailed`, `.wrongRole` for a sealer store, `.refused` when one is set.
    public func setPasscode(
        _ passcode: Passphrase, argon2id: Argon2idParameters = .standard, current: UnlockSecret?, now: Int64
    ) throws(KeyStoreError) {
        try replacePasscode("set", current, now) { (keybag, unlocked) throws(KeyStoreError) in
            try requirePasscode(isSet: false, keybag)
            let (slot, kek) = try SlotMaking.make(
                .passphrase(passcode), unixGroup: unixGroup, argon2id: argon2id, now: now)
            return try KeybagMaking(replacing: keybag, unlocked, by: slot, kek: kek)
        }
    }

    /// - Parameter what: is done to the passcode, as the audit log says.
    private func replacePasscode(
        _ what: String, _ current: UnlockSecret?, in keyFile: NewKeyFile? = nil, _ now: Int64,
        by making: (Keybag, Keybag.Unlocked) throws(KeyStoreError) -> KeybagMaking
    ) throws(KeyStoreError) {
        let act = AuditNote(.passcode, "store, \(what)")
        try auditingRefusals(of: act, at: now) { () throws(KeyStoreError) in
            try requirePasscodes()
            // Before the secret is tried: of one who repeats it, it is not the secret that is wrong.
            try requirePasscode(isSet: what == "removed", try keybag())
            try replaceKeybag(current, in: keyFile, now: now, by: making) { (rows, old, new) throws(KeyStoreError) in
                rows.act = act
                let name = ClassKeyName.whenPasscodeSetThisDeviceOnly
                let isGone = !new.keys.contains { $0.name == name }
                if isGone { try rows.destroyAll(under: name) }
            }
        }
    }

    private func requirePasscode(isSet: Bool, _ keybag: Keybag) throws(KeyStoreError) {
        guard keybag.hasPasscode != isSet else { return }
        throw KeyStoreError(.refused, directory, isSet ? "no passcode is set" : "a passcode is set already")
    }

    private func requirePasscodes() throws(KeyStoreError) {
        guard role == .device else {
            throw KeyStoreError(.wrongRole, directory, "it is a sealer store, and a passcode is a device's")
        }
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
        var held = try Held<R>(row)
        let reason = "there is no passcode any more"
        switch held.record {
        case let item as ItemRow: audit(.itemDelete, ItemRow.subject(item.service, item.account), reason: reason)
        case let epoch as HeldEpochRow: audit(.destroy, epoch.subject, kid: epoch.kid, reason: reason)
        case let key as SplitKeyRow:
            audit(.destroy, "conversation \(key.conversation)", reason: "\(key.identifier): \(reason)")
        default: audit(.destroy, "\(R.table.name) \(held.record.identifier)", reason: reason)
        }
        // The name of what was given up stays known, so that nothing brings it back.
        let state = (held.record as? HeldEpochRow)?.state ?? (held.record as? SplitKeyRow)?.state
        if state == .compromised { try shred(&held) } else { try delete(held) }
    }
}
