package import EnvelopeFormat
package import KeyStore
import Sealer

/// How a conversation is to be rotated.
package struct Rotation {
    package let isRekey: Bool
    /// Whether a secret in waiting is destroyed first.
    package let restart: Bool
    /// Seconds after which a rekey is promoted in any case.
    package let promoteAfter: Int64?

    package init(isRekey: Bool, restart: Bool, promoteAfter: Int64?) {
        self.isRekey = isRekey
        self.restart = restart
        self.promoteAfter = promoteAfter
    }

    /// Reads `{rekey, restart, promote_after}`, each optional.
    /// - Throws: ``FormatError`` naming the member at fault.
    package init(_ json: JSONValue) throws(FormatError) {
        let reader = try RequestReader(json, "rotation", ["rekey", "restart", "promote_after"])
        isRekey = try reader.flag("rekey") ?? false
        restart = try reader.flag("restart") ?? false
        promoteAfter = try reader.integer("promote_after")
        guard isRekey || !restart && promoteAfter == nil else {
            throw FormatError(field: restart ? "restart" : "promote_after", reason: "it needs rekey")
        }
        // As on the command line.
        guard promoteAfter != 0 else { throw FormatError(field: "promote_after", reason: "not above 0") }
    }

    /// The same for all conversations.
    package var kind: RotationRun.Kind { isRekey ? (restart ? .rekeyAnew : .rekey) : .ratchet }

    package func carryOut(
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
