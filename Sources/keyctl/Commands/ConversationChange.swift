import BackendJSON
import EnvelopeFormat
import KeyStore

/// A change of one conversation that prints the kids it ends with.
enum ConversationChange {
    static func run(
        _ invocation: Invocation, _ change: (SealerStore, ConversationIdentifier) throws -> ConversationResult
    ) throws -> Report {
        let conversation = try invocation.conversation()
        let view = { (sealer: SealerStore) in try ConversationView.view(of: conversation, in: sealer) }
        return try invocation.change(viewing: view) { (sealer: SealerStore) in
            let result = try change(sealer, conversation)
            return Report(lines: result.kids, json: result.json)
        }
    }
}
