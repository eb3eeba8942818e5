import BackendJSON
import EnvelopeFormat
import KeyStore

/// `member add`: lets a device into a conversation.
enum MemberAddCommand {
    static let row = Command(
        "member add", "add a device to a conversation; its bundles wait in bundle",
        options: [.conversation, .device],
        example: "member add --store sealer --conversation chat-1 --device 3q2-7w", role: .sealer, changesState: true
    ) { invocation in
        try ConversationChange.run(invocation) { sealer, conversation in
            let device = try sealer.device(
                matching: try invocation.required("device"), for: .memberAdd, of: "conversation \(conversation)",
                now: invocation.clock
            ).thumbprint
            return ConversationResult(try sealer.addMember(device, to: conversation, now: invocation.clock))
        }
    }
}
