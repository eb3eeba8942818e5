import EnvelopeFormat
import KeyStore

/// `show`: one conversation.
enum ShowCommand {
    static let row = Command(
        "show", "show a conversation: its secrets' states, its members; never key material",
        arguments: [ArgumentSpec("CID", "the conversation's name")],
        example: "show --store sealer chat-1", role: .any
    ) { invocation in
        let conversation = try ConversationIdentifier(invocation.arguments[0])
        let store = try invocation.openStore()
        switch store.role {
        case .sealer: return ConversationView.view(of: try SealerStore(store).conversation(conversation)).report
        case .device: return try HeldKeysView.view(of: try DeviceStore(store), conversation).report
        }
    }
}
