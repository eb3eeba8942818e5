import EnvelopeFormat
import KeyStore

/// The conversations that a list names, and how they were before something was done with them.
struct ListedConversations {
    private var known: Set<ConversationIdentifier> = []
    private var names: [ConversationIdentifier] = []
    private var recordsBefore: [ConversationRecord] = []

    /// Looks at a conversation that was not named yet.
    mutating func add(_ conversation: ConversationIdentifier, in sealer: SealerStore) throws(KeyStoreError) {
        guard known.insert(conversation).inserted else { return }
        names.append(conversation)
        if let record = try Self.record(of: conversation, in: sealer) { recordsBefore.append(record) }
    }

    /// Those that were there, in the order of the list.
    var before: View { ConversationView.view(of: recordsBefore) }

    /// Those that are there now.
    func after(in sealer: SealerStore) throws(KeyStoreError) -> View {
        var records: [ConversationRecord] = []
        for name in names { if let record = try Self.record(of: name, in: sealer) { records.append(record) } }
        return ConversationView.view(of: records)
    }

    private static func record(
        of conversation: ConversationIdentifier, in sealer: SealerStore
    ) throws(KeyStoreError) -> ConversationRecord? {
        do throws(KeyStoreError) { return try sealer.conversation(conversation) } catch {
            guard error.kind == .notFound else { throw error }
            return nil
        }
    }
}
