import EnvelopeFormat
import KeyStore

/// A change of one conversation that prints the kids it ends with.
enum ConversationChange {
    static func run(
        _ invocation: Invocation, _ change: (SealerStore, ConversationIdentifier) throws -> Void
    ) throws -> Report {
        let conversation = try invocation.conversation()
        let store = try invocation.openStore()
        let sealer = try SealerStore(store)
        return try invocation.change(store, viewing: { try ConversationView.view(of: conversation, in: sealer) }) {
            try change(sealer, conversation)
            let record = try sealer.conversation(conversation)
            return Report(lines: ConversationView.kids(record), json: ConversationView.json(record))
        }
    }
}
