import EnvelopeFormat
import KeyStore
import OpenerNSE

/// A device store as the opener's replay record.
struct StoreReplays: ReplayRecord {
    let store: DeviceStore
    /// Whether messages are remembered; without, they are only looked up.
    let remembers: Bool

    func remember(
        _ conversation: ConversationIdentifier, _ message: MessageIdentifier, until: Int64, now: Int64
    ) -> ReplayAnswer {
        remembers
            ? store.remember(conversation, messageIdentifier: message.bytes, until: until, now: now)
            : store.peekReplay(conversation, messageIdentifier: message.bytes, until: until, now: now)
    }
}
