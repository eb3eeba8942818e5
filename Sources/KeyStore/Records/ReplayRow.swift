internal import EnvelopeFormat

/// That a device has opened a message, kept until its expiry bound has passed.
struct ReplayRow: Record {
    static let table = Table.replay
    let identifier: String
    let conversation: ConversationIdentifier
    let until: Int64

    static func identifier(_ conversation: ConversationIdentifier, _ message: [UInt8]) -> String {
        "\(Hexadecimal.encode(message))/\(conversation)"
    }

    init(conversation: ConversationIdentifier, message: [UInt8], until: Int64) {
        identifier = Self.identifier(conversation, message)
        self.conversation = conversation
        self.until = until
    }

    init(identifier: String, fields: inout FieldReader) throws(KeyStoreError) {
        self.identifier = identifier
        conversation = try fields.parsed { try? ConversationIdentifier($0) }
        until = try fields.integer()
    }

    var values: [FieldValue] { [.text(conversation.string), .integer(until)] }
}
