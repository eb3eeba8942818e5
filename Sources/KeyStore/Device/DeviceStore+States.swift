public import EnvelopeFormat

/// What a phone does by itself to the keys of a conversation; the backend is not told.
extension DeviceStore {
    /// Stops opening under the active secrets of the conversation until ``resume(_:now:)``.
    /// - Throws: `.notFound` when the device holds nothing of it, `.refused` when nothing of it is active.
    public func suspend(_ conversation: ConversationIdentifier, now: Int64) throws(KeyStoreError) {
        try move(conversation, nil, to: .suspended, .suspend, now)
    }

    /// Makes the suspended secrets of the conversation active again.
    /// - Throws: `.notFound`, `.refused` when nothing of it is suspended.
    public func resume(_ conversation: ConversationIdentifier, now: Int64) throws(KeyStoreError) {
        try move(conversation, nil, to: .active, .resume, now)
    }

    /// Opens nothing under these secrets any more, whatever bundles come.
    /// - Parameter handle: one secret; nil for all of the conversation.
    /// - Throws: `.notFound`, `.refused` when all of them are compromised or destroyed.
    public func revoke(
        _ conversation: ConversationIdentifier, handle: Handle? = nil, now: Int64
    ) throws(KeyStoreError) {
        try move(conversation, handle, to: .compromised, .revoke, now)
    }

    /// Erases secrets that have ended; their names stay known, so that no bundle brings them back.
    /// - Parameter handle: one secret; nil for all of the conversation that are deactivated or compromised.
    /// - Throws: `.notFound`, `.refused` for what is in use, and when there is nothing to destroy.
    public func destroy(
        _ conversation: ConversationIdentifier, handle: Handle? = nil, now: Int64
    ) throws(KeyStoreError) {
        try move(conversation, handle, to: .destroyed, .destroy, now)
    }

    private func move(
        _ conversation: ConversationIdentifier, _ handle: Handle?, to state: KeyState,
        _ operation: AuditOperation, _ now: Int64
    ) throws(KeyStoreError) {
        guard Cryptoperiod.times.contains(now) else { throw KeyStoreError(.badInput, "clock", "\(now) is no time") }
        try transaction(auditing: operation, "conversation \(conversation)", now: now) { (device) throws(KeyStoreError) in
            try device.move(conversation, handle, to: state)
        }
    }
}
