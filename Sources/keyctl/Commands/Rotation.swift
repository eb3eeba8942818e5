import EnvelopeFormat
import KeyStore

/// How a conversation is to be rotated.
struct Rotation {
    let isRekey: Bool
    /// Whether a secret in waiting is destroyed first.
    let restart: Bool
    /// Seconds after which a rekey is promoted in any case.
    let promoteAfter: Int64?

    /// The same for all conversations.
    var kind: RotationRun.Kind { isRekey ? (restart ? .rekeyAnew : .rekey) : .ratchet }

    func carryOut(
        on sealer: SealerStore, _ conversation: ConversationIdentifier, now: Int64
    ) throws -> ConversationResult {
        guard isRekey else {
            let kid = try sealer.ratchet(conversation, now: now)
            return try ConversationResult(kid, of: conversation, in: sealer)
        }
        let (active, waiting) = try sealer.rekey(
            conversation, restart: restart, promoteAfter: promoteAfter, now: now)
        return try ConversationResult(active, waiting: waiting, of: conversation, in: sealer)
    }
}
