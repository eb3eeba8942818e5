import EnvelopeFormat
import KeyStore

/// What a change of a conversation ended with, as its own transaction says, whatever others have done since.
struct ConversationResult {
    /// The conversation as it is shown; another change may have come in between.
    private let record: ConversationRecord
    /// What is sealed under.
    private let active: KeyIdentifier?
    /// What waits.
    private let waiting: KeyIdentifier?

    /// A change that returns the whole record.
    init(_ record: ConversationRecord) {
        self.record = record
        active = record.active
        waiting = record.waiting
    }

    /// A change that returns kids alone: what else there is to show is read now.
    init(
        _ active: KeyIdentifier, waiting: KeyIdentifier? = nil, of conversation: ConversationIdentifier,
        in sealer: SealerStore
    ) throws {
        record = try sealer.conversation(conversation)
        self.active = active
        self.waiting = waiting
    }

    var conversation: ConversationIdentifier { record.conversation }

    /// What is sealed under, and what waits.
    var kids: [String] { ConversationView.kids(record, active: active, waiting: waiting) }

    var json: JSONValue { ConversationView.json(record, active: active, waiting: waiting) }
}
