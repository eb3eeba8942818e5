public import EnvelopeFormat

extension SealerStore {
    /// Ends sealing in the conversation: its secret is deactivated and none takes its place. What was sealed opens on;
    /// a member that is added later begins a fresh one.
    /// - Parameter force: though a member has not acknowledged the secret, or a rekey waits, which is discarded then.
    /// - Throws: `.notFound`; `.refused` naming who depends on it, and without a secret in use.
    public func retire(
        _ name: ConversationIdentifier, force: Bool = false, now: Int64
    ) throws(KeyStoreError) -> ConversationRecord {
        try change(name, now, auditing: .retire, reason: force ? "forced" : nil) { (life, conversation) throws(KeyStoreError) in
            try life.retire(&conversation, force: force)
        }
    }

    /// Destroys secrets that have ended: their bundles are withdrawn, and name and state are all that is left.
    /// - Parameters:
    ///   - handle: one secret, which may also be one that waits; nil for all that have ended.
    ///   - force: though pushes under it may be on their way, or a member has nothing later. The states are never
    ///     overridden: what is in use is to be retired first.
    /// - Throws: `.notFound`; `.refused` naming who or what depends on it, or the state that forbids it.
    public func destroy(
        _ name: ConversationIdentifier, handle: Handle? = nil, force: Bool = false, now: Int64
    ) throws(KeyStoreError) -> ConversationRecord {
        try change(name, now, auditing: .destroy, reason: force ? "forced" : nil) { (life, conversation) throws(KeyStoreError) in
            try life.destroy(handle, in: &conversation, force: force)
        }
    }

    /// Gives one secret up as compromised, whether it is in use, waits, or has ended. One in use is replaced at once.
    /// - Throws: `.notFound`; `.refused` for one that is compromised or destroyed already.
    public func revoke(
        _ name: ConversationIdentifier, handle: Handle, now: Int64
    ) throws(KeyStoreError) -> ConversationRecord {
        try change(name, now, auditing: .revoke, reason: "secret \(handle)") { (life, conversation) throws(KeyStoreError) in
            try life.revoke(handle, in: &conversation)
        }
    }

    /// Who and what depends on the conversation's secrets at that time.
    /// - Throws: `.notFound`.
    public func census(_ name: ConversationIdentifier, now: Int64) throws(KeyStoreError) -> Census {
        try read(at: now) { (life) throws(KeyStoreError) in try life.census(of: try life.conversation(name)) }
    }
}
