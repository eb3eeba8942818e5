internal import EnvelopeFormat

extension LifeCycle {
    /// A fresh secret in pre-activation, and a bundle of it for each member.
    func rekey(_ conversation: inout Conversation, restart: Bool, promoteAfter: Int64?) throws(KeyStoreError) {
        try checkOpen(conversation)
        _ = try conversation.requireActive()
        if let waiting = conversation.waiting {
            guard restart else {
                throw KeyStoreError(
                    .refused, conversation.subject, "a rekey is waiting already",
                    hint: "keyctl promote --conversation \(conversation.word); or to begin anew: "
                        + "keyctl rotate --conversation \(conversation.word) --rekey --restart")
            }
            try discard(waiting, in: &conversation)
        }
        var waiting = try makeSecret(in: &conversation)
        if let promoteAfter {
            guard (0...Cryptoperiod.day * 366).contains(promoteAfter) else {
                throw KeyStoreError(.badInput, conversation.subject, "a promotion is at most 366 days off")
            }
            waiting.record.promoteAt = now + promoteAfter
            try rows.update(&waiting)
            conversation.replace(waiting)
        }
        for member in conversation.members { try issueBundle(of: waiting, to: member.record.device, in: conversation) }
    }

    /// Seals under the waiting secret from now on.
    /// - Throws: `.refused` when none is waiting, and when the conversation is suspended.
    func promote(_ conversation: inout Conversation) throws(KeyStoreError) {
        guard let waiting = conversation.waiting else {
            throw KeyStoreError(.refused, conversation.subject, "no rekey is waiting")
        }
        try checkNotSuspended(conversation)
        if let previous = conversation.active { try end(previous, as: .deactivated, in: &conversation) }
        try activate(waiting, in: &conversation)
    }

    func checkNotSuspended(_ conversation: Conversation) throws(KeyStoreError) {
        guard conversation.suspended == nil else {
            throw KeyStoreError(
                .refused, conversation.subject, "it is suspended",
                hint: "keyctl resume --conversation \(conversation.word)")
        }
    }

    /// Promotes a waiting secret that every member has acknowledged, unless the conversation is suspended.
    func promoteIfAcknowledged(_ conversation: inout Conversation) throws(KeyStoreError) {
        guard conversation.suspended == nil, conversation.waiting != nil, !conversation.members.isEmpty,
            missingAcknowledgements(conversation).isEmpty, try !hasMemberBeingRemoved(conversation)
        else { return }
        try promote(&conversation, since: "every member acknowledged")
    }

    /// Promotes without having been asked to.
    func promote(_ conversation: inout Conversation, since reason: String) throws(KeyStoreError) {
        try promote(&conversation)
        rows.audit(.promote, conversation.subject, kid: try conversation.active?.record.kid(), reason: reason)
    }

    /// The members that have not acknowledged the waiting secret.
    func missingAcknowledgements(_ conversation: Conversation) -> [DeviceThumbprint] {
        guard let waiting = conversation.waiting else { return [] }
        return conversation.members.map(\.record).filter { $0.acknowledged?.handle != waiting.record.handle }
            .map(\.device)
    }

    /// Destroys a waiting secret and withdraws its bundles.
    func discard(_ waiting: Held<SecretRow>, in conversation: inout Conversation) throws(KeyStoreError) {
        try end(waiting, as: .destroyed, in: &conversation)
        try withdrawBundles(of: waiting.record.handle)
    }

    /// Ends the secret that others than the members may know, and goes on under a fresh one at once.
    func replaceSecret(in conversation: inout Conversation, as state: KeyState) throws(KeyStoreError) {
        if let waiting = conversation.waiting { try discard(waiting, in: &conversation) }
        let isSuspended = conversation.active == nil && conversation.suspended != nil
        guard let previous = conversation.active ?? conversation.suspended else { return }
        try end(previous, as: state, in: &conversation)
        try withdrawBundles(of: previous.record.handle)
        // What is suspended stays so until it is resumed, though its last member may go and another come meanwhile.
        guard !conversation.isWithoutMember || isSuspended else { return }
        try startSecret(in: &conversation)
        if isSuspended, let active = conversation.active { try suspend(active, in: &conversation) }
    }

    /// A fresh secret, active at once, and a bundle of it for each member.
    func startSecret(in conversation: inout Conversation) throws(KeyStoreError) {
        let active = try makeSecret(in: &conversation, isActive: true)
        for member in conversation.members { try issueBundle(of: active, to: member.record.device, in: conversation) }
    }

    func suspend(_ active: Held<SecretRow>, in conversation: inout Conversation) throws(KeyStoreError) {
        var active = active
        try active.record.move(to: .suspended, in: rows)
        try rows.update(&active)
        conversation.replace(active)
        rows.noteKeyChange()
    }

    /// A promotion that had its reasons meanwhile takes place now. With no member left there is nothing to go on under, as
    /// after the last removal from a conversation that was not suspended.
    func resume(_ suspended: Held<SecretRow>, in conversation: inout Conversation) throws(KeyStoreError) {
        guard !conversation.isWithoutMember else {
            if let waiting = conversation.waiting { try discard(waiting, in: &conversation) }
            return try end(suspended, as: .deactivated, in: &conversation)
        }
        var suspended = suspended
        try suspended.record.move(to: .active, in: rows)
        try rows.update(&suspended)
        conversation.replace(suspended)
        rows.noteKeyChange()
        if try isPromotionDue(conversation) {
            try promote(&conversation, since: "its time has come")
        } else {
            try promoteIfAcknowledged(&conversation)
        }
    }
}
