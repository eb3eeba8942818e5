public import CryptoPrimitives
public import EnvelopeFormat

extension DeviceTransaction {
    /// Whether the device opens split messages at all. Before the first unlock it can be read and not believed, as names can:
    /// no key of a split message can be read then either.
    public func isSplitAllowed() throws(KeyStoreError) -> Bool {
        guard let row = try rows.storage.row(.deviceState, DeviceStateRow.name) else {
            throw KeyStoreError(.damaged, "row device_state/device", "it is not there")
        }
        if isAuthenticated { try rows.cipher.check(row) }
        return try Held<DeviceStateRow>(row).record.splitAllowed
    }

    public func setSplitAllowed(_ allowed: Bool) throws(KeyStoreError) {
        var state = try state()
        guard state.record.splitAllowed != allowed else { return }
        state.record.splitAllowed = allowed
        try rows.update(&state)
    }

    /// The split keys known, the older first: two at most that open or are suspended, and those that were revoked or destroyed.
    public func splitKeys() throws(KeyStoreError) -> [SplitKeyRecord] {
        var held: [Held<SplitKeyRow>] = []
        for row in try rows.storage.rows(.splitKey, [], limit: nil) {
            if isAuthenticated { try rows.cipher.check(row) }
            held.append(try Held(row))
        }
        return held.sorted { $0.record.installOrder < $1.record.installOrder }.map { held in
            SplitKeyRecord(
                name: held.record.identifier, conversation: held.record.conversation, state: held.record.state,
                until: held.record.until,
                key: isAuthenticated
                    ? Reading { () throws(KeyStoreError) in try rows.secret(of: held) } : .locked)
        }
    }

    /// Keeps a split key; of three the oldest goes. The same key again changes nothing. One that was revoked or destroyed here
    /// is none of the three, and known for good: no file brings it back.
    /// - Throws: `.conflict` for a key that is held for another conversation, until another time, or as an epoch's secret, and
    ///   for one that was revoked or destroyed.
    public func addSplitKey(
        _ key: SymmetricKey, conversation: ConversationIdentifier, until: Int64
    ) throws(KeyStoreError) {
        guard key.bitCount == 256 else {
            throw KeyStoreError(.badInput, "split key", "\(key.bitCount / 8) bytes where 32 are needed")
        }
        let name = SplitName.make(of: key)
        rows.act?.reason = name
        if let held = try rows.find(SplitKeyRow.self, name) {
            guard !held.record.isEnded else {
                throw KeyStoreError(
                    .conflict, name, "it was \(held.record.state == .compromised ? "revoked" : "destroyed") here")
            }
            guard constantTimeEqual(try rows.secret(of: held), key), held.record.conversation == conversation else {
                throw KeyStoreError(.conflict, name, "it is held for something else")
            }
            guard held.record.until == until else {
                throw KeyStoreError(.conflict, name, "it is held with another end date")
            }
            return
        }
        for held in try rows.all(HeldEpochRow.self) where held.hasSecret {
            guard let other = try readable(held) else { continue }
            if constantTimeEqual(other, key) { throw KeyStoreError(.conflict, name, "it is the secret of an epoch") }
        }
        var state = try state()
        let order = state.record.nextOrder
        state.record.nextOrder += 1
        try rows.update(&state)
        try rows.insert(
            SplitKeyRow(name: name, conversation: conversation, until: until, installOrder: order), secret: key,
            under: ClassKeyName(.standard))
        var usable = try rows.all(SplitKeyRow.self).filter { !$0.record.isEnded }
            .sorted { $0.record.installOrder < $1.record.installOrder }
        while usable.count > 2 {
            let oldest = usable.removeFirst()
            try rows.delete(oldest)
            rows.audit(
                .destroy, "conversation \(oldest.record.conversation)",
                reason: "\(oldest.record.identifier), the oldest of three")
        }
        rows.noteKeyChange()
    }

    /// Nil when it is locked away.
    private func readable(_ held: Held<HeldEpochRow>) throws(KeyStoreError) -> SymmetricKey? {
        do { return try rows.secret(of: held) } catch {
            guard error.kind == .locked else { throw error }
            return nil
        }
    }
}
