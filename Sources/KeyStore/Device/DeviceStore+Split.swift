public import CryptoPrimitives
public import EnvelopeFormat

extension DeviceStore {
    /// Keeps a split key; of three the oldest goes.
    /// - Throws: `.conflict` for a key that is held for something else, `.badInput`.
    public func splitAdd(
        _ key: SymmetricKey, conversation: ConversationIdentifier, until: Int64, now: Int64
    ) throws(KeyStoreError) {
        try transaction(auditing: .splitAdd, "conversation \(conversation)", now: now) {
            (device) throws(KeyStoreError) in
            try device.addSplitKey(key, conversation: conversation, until: until)
        }
    }

    /// Has the device open split messages from now on.
    public func splitAllow(now: Int64) throws(KeyStoreError) {
        try transaction(auditing: .splitAllow, "device", now: now) { (device) throws(KeyStoreError) in
            try device.setSplitAllowed(true)
        }
    }

    /// Has the device leave split messages alone.
    public func splitDeny(now: Int64) throws(KeyStoreError) {
        try transaction(auditing: .splitDeny, "device", now: now) { (device) throws(KeyStoreError) in
            try device.setSplitAllowed(false)
        }
    }
}
