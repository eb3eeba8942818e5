import BackendJSON
import EnvelopeFormat
import KeyStore

/// `member remove`: takes a device out of a conversation.
enum MemberRemoveCommand {
    static let row = Command(
        "member remove", "remove a device from a conversation; a fresh secret is sealed under at once",
        details: [
            "The other members show the placeholder until they accept their new bundle. Without a member left, "
                + "sealing is refused."
        ],
        options: [.conversation, .device],
        example: "member remove --store sealer --conversation chat-1 --device 3q2-7w", role: .sealer,
        changesState: true
    ) { invocation in
        try ConversationChange.run(invocation) { sealer, conversation in
            let device = try sealer.device(
                matching: try invocation.required("device"), for: .memberRemove, of: "conversation \(conversation)",
                now: invocation.clock
            ).thumbprint
            return ConversationResult(try sealer.removeMember(device, from: conversation, now: invocation.clock))
        }
    }
}
