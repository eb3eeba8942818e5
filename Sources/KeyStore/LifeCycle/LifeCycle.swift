internal import CryptoPrimitives
internal import EnvelopeFormat

/// What happens to conversation secrets, inside one transaction at one time. It knows rows, and no engine.
struct LifeCycle {
    let rows: RecordTransaction
    let now: Int64

    /// - Throws: `.notFound` for a name nobody provisioned; no row is ever made by asking.
    func conversation(_ name: ConversationIdentifier) throws(KeyStoreError) -> Conversation {
        guard let row = try rows.find(ConversationRow.self, name.string) else {
            throw KeyStoreError(.notFound, "conversation \(name)", "there is no such conversation")
        }
        return try conversation(row)
    }

    func conversation(_ row: Held<ConversationRow>) throws(KeyStoreError) -> Conversation {
        let match = Match.equal("conversation", row.record.conversation.string)
        return Conversation(
            row: row, secrets: try rows.all(SecretRow.self, match), members: try rows.all(MemberRow.self, match))
    }

    /// The conversation after what was due by itself: a promotion whose time has come.
    func settled(_ name: ConversationIdentifier) throws(KeyStoreError) -> Conversation {
        var conversation = try conversation(name)
        if try isPromotionDue(conversation) { try promote(&conversation, since: "its time has come") }
        return conversation
    }

    /// Whether a waiting secret's time has come. Nothing is promoted by itself while the conversation is suspended:
    /// that would undo what an operator did. Nor is it while a member is being removed, which discards what waits.
    func isPromotionDue(_ conversation: Conversation) throws(KeyStoreError) -> Bool {
        guard conversation.suspended == nil, let due = conversation.waiting?.record.promoteAt, due <= now else {
            return false
        }
        return try !hasMemberBeingRemoved(conversation)
    }

    func hasMemberBeingRemoved(_ conversation: Conversation) throws(KeyStoreError) -> Bool {
        for member in conversation.members {
            if try rows.find(DeviceRow.self, member.record.device.string)?.record.isBeingRemoved == true { return true }
        }
        return false
    }

    /// A fresh secret with a handle of its own, in pre-activation.
    /// - Parameter isActive: whether it is activated before it is written: it is sealed under at once.
    @discardableResult
    func makeSecret(
        in conversation: inout Conversation, isActive: Bool = false
    ) throws(KeyStoreError) -> Held<SecretRow> {
        let key = SymmetricKey(size: .bits256)
        let handle: Handle
        do { handle = try Handle(bytes: try RandomName.bytes(Handle.byteCount)) } catch {
            throw KeyStoreError(.unavailable, conversation.subject, "no handle can be drawn")
        }
        var record = SecretRow(
            handle: handle, conversation: conversation.name, algorithm: conversation.algorithm, created: now,
            name: conversation.algorithm == .split ? SplitName.make(of: key) : nil)
        if isActive {
            try start(&record)
            rows.noteKeyChange()
        }
        let secret = try rows.insert(record, secret: key)
        conversation.replace(secret)
        return secret
    }

    /// Makes a secret the one that is sealed under.
    func activate(_ secret: Held<SecretRow>, in conversation: inout Conversation) throws(KeyStoreError) {
        var secret = secret
        try start(&secret.record)
        try rows.update(&secret)
        conversation.replace(secret)
        rows.noteKeyChange()
    }

    private func start(_ secret: inout SecretRow) throws(KeyStoreError) {
        try secret.move(to: .active, in: rows)
        secret.activated = secret.activated ?? now
        secret.epochStarted = now
        secret.promoteAt = nil
    }

    /// Ends a secret's sealing: the sealer keeps nothing of it but its name and state.
    func end(
        _ secret: Held<SecretRow>, as state: KeyState, in conversation: inout Conversation
    ) throws(KeyStoreError) {
        var secret = secret
        let wasInUse = secret.record.state == .active || secret.record.state == .suspended
        try secret.record.move(to: state, in: rows)
        secret.record.promoteAt = nil
        if state == .deactivated {
            secret.record.deactivated = now
            secret.record.openUntil = now + Cryptoperiod.openAfterDeactivation
        }
        if wasInUse { try noteEnd(of: secret.record) }
        try endLeases(of: secret.record)
        try rows.shred(&secret)
        conversation.replace(secret)
        rows.noteKeyChange()
    }

    /// The next epoch, active at once; the one before leaves no bytes behind. Members whose last bundle is too far below
    /// are issued one.
    func ratchet(_ conversation: inout Conversation) throws(KeyStoreError) -> KeyIdentifier {
        if let refusal = ratchetRefusal(conversation) { throw refusal }
        var active = try conversation.requireActive()
        let next = try conversationSecret(of: active).next(in: conversation.name)
        if try hasLeaseInStock(active.record) { try noteUse(of: active.record.handle) }
        try endLeases(of: active.record)
        active.record.epoch += 1
        active.record.epochStarted = now
        active.record.leased = 0
        try rows.update(&active, secret: next.rawKey)
        conversation.replace(active)
        try renewBundles(of: active, in: conversation)
        rows.noteKeyChange()
        return try active.record.kid()
    }

    /// Why the conversation has no next epoch; nil when it has.
    func ratchetRefusal(_ conversation: Conversation) -> KeyStoreError? {
        let reason: String
        if conversation.algorithm == .split {
            reason = "a split key has no epochs"
        } else if let active = conversation.active, active.record.epoch >= KeyIdentifier.lastEpoch {
            reason = "its handle has no epoch left"
        } else {
            return nil
        }
        return KeyStoreError(
            .refused, conversation.subject, reason, hint: "keyctl rotate --conversation \(conversation.word) --rekey")
    }

    /// The secret of the newest epoch.
    func conversationSecret(of held: Held<SecretRow>) throws(KeyStoreError) -> ConversationSecret {
        do { return try ConversationSecret(try rows.secret(of: held)) } catch let error as FormatError {
            throw KeyStoreError(.damaged, held.row.subject, error.description)
        } catch let error as KeyStoreError {
            throw error
        } catch {
            throw KeyStoreError(.damaged, held.row.subject, "its secret cannot be read")
        }
    }
}
