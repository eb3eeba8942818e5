package import EnvelopeFormat
package import KeyStore

/// What a change of a conversation ended with, as its own transaction says, whatever others have done since.
package struct ConversationResult {
    /// The conversation as it is shown; another change may have come in between.
    private let record: ConversationRecord
    /// What is sealed under.
    private let active: KeyIdentifier?
    /// What waits.
    private let waiting: KeyIdentifier?

    /// A change that returns the whole record.
    package init(_ record: ConversationRecord) {
        self.record = record
        active = record.active
        waiting = record.waiting
    }

    /// A change that returns kids alone: what else there is to show is read now.
    package init(
        _ active: KeyIdentifier, waiting: KeyIdentifier? = nil, of conversation: ConversationIdentifier,
        in sealer: SealerStore
    ) throws {
        record = try sealer.conversation(conversation)
        self.active = active
        self.waiting = waiting
    }

    package var conversation: ConversationIdentifier { record.conversation }

    /// What is sealed under, and what waits.
    package var kids: [String] { ConversationForm.kids(record, active: active, waiting: waiting) }

    package var json: JSONValue { ConversationForm.json(record, active: active, waiting: waiting) }
}
