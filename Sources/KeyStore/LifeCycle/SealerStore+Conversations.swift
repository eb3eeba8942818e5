public import EnvelopeFormat

extension SealerStore {
    /// Makes a conversation, its first secret active at once, and a bundle for each member.
    /// - Parameters:
    ///   - until: after this time sealing is refused; `split` needs one.
    ///   - maximumAge: the age in seconds at which an epoch is left by itself, at least a day; nil for 30 days.
    /// - Throws: `.alreadyExists`, `.notFound` for a device nobody enrolled, `.badInput`.
    public func provision(
        _ name: ConversationIdentifier, algorithm: KeyAlgorithm, members: [DeviceThumbprint],
        accessible: AccessibilityClass = .standard, until: Int64? = nil, maximumAge: Int64? = nil, now: Int64
    ) throws(KeyStoreError) -> ConversationRecord {
        let plan = Provisioning(
            conversation: name, algorithm: algorithm, members: members, accessible: accessible, until: until,
            maximumAge: maximumAge)
        return try write(auditing: .provision, plan.subject, at: now) { (life) throws(KeyStoreError) in
            try plan.check(now: now)
            try life.checkProvisioning(plan)
            let record = try life.provision(plan)
            life.rows.act?.kid = record.active
            return record
        }
    }

    /// - Throws: `.notFound`.
    public func conversation(_ name: ConversationIdentifier) throws(KeyStoreError) -> ConversationRecord {
        try read { (life) throws(KeyStoreError) in try life.record(of: try life.conversation(name)) }
    }

    /// Makes a device a member, with a bundle of the active secret, and of the waiting one if there is one.
    /// - Throws: `.notFound` for the conversation or the device, `.alreadyExists` for a member.
    public func addMember(
        _ device: DeviceThumbprint, to name: ConversationIdentifier, now: Int64
    ) throws(KeyStoreError) -> ConversationRecord {
        try change(name, now, auditing: .memberAdd, settling: true, reason: "device \(device)") { (life, conversation) throws(KeyStoreError) in
            try life.add(device, to: &conversation)
        }
    }

    /// Takes a device out; the secret it knows is deactivated and a fresh one active, in the same transaction. A rekey
    /// that waits is discarded, whether its time has come or not.
    /// - Throws: `.notFound` for the conversation or for a device that is no member.
    public func removeMember(
        _ device: DeviceThumbprint, from name: ConversationIdentifier, now: Int64
    ) throws(KeyStoreError) -> ConversationRecord {
        try change(name, now, auditing: .memberRemove, reason: "device \(device)") { (life, conversation) throws(KeyStoreError) in
            try life.remove(device, from: &conversation)
        }
    }

    /// Stops sealing and opening under the active secret until ``resume(_:now:)``.
    public func suspend(_ name: ConversationIdentifier, now: Int64) throws(KeyStoreError) -> ConversationRecord {
        try change(name, now, auditing: .suspend) { (life, conversation) throws(KeyStoreError) in
            try life.suspend(try conversation.requireActive(), in: &conversation)
        }
    }

    /// Makes the suspended secret active again.
    /// - Throws: `.refused` when none is suspended.
    public func resume(_ name: ConversationIdentifier, now: Int64) throws(KeyStoreError) -> ConversationRecord {
        try change(name, now, auditing: .resume) { (life, conversation) throws(KeyStoreError) in
            guard let suspended = conversation.suspended else {
                throw KeyStoreError(.refused, conversation.subject, "it is not suspended")
            }
            try life.resume(suspended, in: &conversation)
        }
    }

    /// Gives up as compromised what was sealed under until now, and goes on under a fresh secret at once. A rekey that
    /// waits is discarded, whether its time has come or not.
    /// - Throws: `.refused` when there is none in use.
    public func revoke(_ name: ConversationIdentifier, now: Int64) throws(KeyStoreError) -> ConversationRecord {
        try change(name, now, auditing: .revoke) { (life, conversation) throws(KeyStoreError) in
            if conversation.suspended == nil { _ = try conversation.requireActive() }
            try life.replaceSecret(in: &conversation, as: .compromised)
        }
    }

    /// One operation on one conversation.
    /// - Parameters:
    ///   - settling: whether a promotion that is due comes first. Not before what ends a secret, nor before what leads up
    ///     to it: it would end the one of the promotion in place of the one that was sealed under.
    ///   - reason: what its audit entry says when it is done.
    func change(
        _ name: ConversationIdentifier, _ now: Int64, auditing operation: AuditOperation, settling: Bool = false,
        reason: String? = nil,
        _ body: (LifeCycle, inout Conversation) throws(KeyStoreError) -> Void
    ) throws(KeyStoreError) -> ConversationRecord {
        try write(auditing: operation, "conversation \(name)", at: now) { (life) throws(KeyStoreError) in
            var conversation = try settling ? life.settled(name) : life.conversation(name)
            try body(life, &conversation)
            life.rows.act?.kid = try (conversation.active ?? conversation.suspended)?.record.kid()
            life.rows.act?.reason = reason
            return try life.record(of: conversation)
        }
    }
}
