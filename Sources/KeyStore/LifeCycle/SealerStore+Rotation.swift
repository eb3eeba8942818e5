public import EnvelopeFormat

extension SealerStore {
    /// The next epoch, active at once. No delivery is needed, but at the 384th above a member's last bundle, which
    /// issues it another.
    /// - Throws: `.refused` for `split`, past epoch 65,535, or without an active secret.
    public func ratchet(_ name: ConversationIdentifier, now: Int64) throws(KeyStoreError) -> KeyIdentifier {
        try write(auditing: .ratchet, "conversation \(name)", at: now) { (life) throws(KeyStoreError) in
            var conversation = try life.settled(name)
            let kid = try life.ratchet(&conversation)
            life.rows.act?.kid = kid
            return kid
        }
    }

    /// A fresh secret that waits until every member has acknowledged its bundle.
    /// - Parameters:
    ///   - restart: destroys one that is waiting already, and withdraws its bundles.
    ///   - promoteAfter: the longest wait in seconds from `now`.
    /// - Throws: `.refused` when one is waiting already, without an active secret, or past the conversation's end.
    public func rekey(
        _ name: ConversationIdentifier, restart: Bool = false, promoteAfter: Int64? = nil, now: Int64
    ) throws(KeyStoreError) -> (active: KeyIdentifier, waiting: KeyIdentifier?) {
        try write(auditing: .rekey, "conversation \(name)", at: now) { (life) throws(KeyStoreError) in
            var conversation = try life.settled(name)
            try life.rekey(&conversation, restart: restart, promoteAfter: promoteAfter)
            let waiting = try conversation.waiting?.record.kid()
            life.rows.act?.kid = waiting
            return (try conversation.requireActive().record.kid(), waiting)
        }
    }

    /// Seals under the waiting secret from now on.
    /// - Throws: `.refused` naming the members that have not acknowledged it, unless forced or its time has come; when none is waiting; when
    ///   the conversation is suspended.
    public func promote(
        _ name: ConversationIdentifier, force: Bool = false, now: Int64
    ) throws(KeyStoreError) -> KeyIdentifier {
        try write(auditing: .promote, "conversation \(name)", at: now) { (life) throws(KeyStoreError) in
            var conversation = try life.conversation(name)
            if conversation.waiting != nil { try life.checkNotSuspended(conversation) }
            let missing = life.missingAcknowledgements(conversation)
            let isDue = try life.isPromotionDue(conversation)
            guard force || isDue || missing.isEmpty else {
                let names = missing.map(\.string).joined(separator: ", ")
                throw KeyStoreError(
                    .refused, conversation.subject, "not acknowledged by \(names)",
                    hint: "keyctl promote --conversation \(conversation.word) --force")
            }
            try life.promote(&conversation)
            let kid = try conversation.requireActive().record.kid()
            life.rows.act?.kid = kid
            if !missing.isEmpty {
                let reason = isDue ? "its time has come" : "forced"
                life.rows.act?.reason = "\(reason): \(missing.count) have not acknowledged"
            }
            return kid
        }
    }
}
