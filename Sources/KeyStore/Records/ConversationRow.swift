internal import EnvelopeFormat

/// A conversation, without its secrets and members.
struct ConversationRow: Record {
    static let table = Table.conversation
    let conversation: ConversationIdentifier
    let algorithm: KeyAlgorithm
    let accessible: AccessibilityClass
    let created: Int64
    /// After this time sealing is refused.
    var until: Int64?
    /// After so many seconds an epoch is left by itself.
    var maximumAge: Int64

    var identifier: String { conversation.string }
    var subject: String { "conversation \(conversation)" }

    init(
        conversation: ConversationIdentifier, algorithm: KeyAlgorithm, accessible: AccessibilityClass, created: Int64,
        until: Int64?, maximumAge: Int64
    ) {
        self.conversation = conversation
        self.algorithm = algorithm
        self.accessible = accessible
        self.created = created
        self.until = until
        self.maximumAge = maximumAge
    }

    init(identifier: String, fields: inout FieldReader) throws(KeyStoreError) {
        guard let conversation = try? ConversationIdentifier(identifier) else { throw fields.damaged }
        self.conversation = conversation
        algorithm = try fields.word()
        accessible = try fields.word()
        created = try fields.integer()
        until = try fields.optionalInteger()
        maximumAge = try fields.integer()
    }

    var values: [FieldValue] {
        [
            .text(algorithm.rawValue), .text(accessible.rawValue), .integer(created), FieldValue(until),
            .integer(maximumAge),
        ]
    }
}
