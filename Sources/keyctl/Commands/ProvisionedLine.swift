import BackendJSON
import EnvelopeFormat
import KeyStore

/// What became of a line of `provision --from`.
enum ProvisionedLine {
    case made(ConversationRecord)
    /// It was there before, exactly as the line says.
    case already(ConversationRecord)
    /// The conversation is nil where the line names none.
    case refused(ConversationIdentifier?, CommandError, Int)

    var isRefused: Bool { if case .refused = self { true } else { false } }

    /// The line for people; what is refused is told on standard error.
    var text: String? {
        switch self {
        case .made(let record): "\(record.conversation) \(ConversationForm.sealedUnder(record))"
        case .already(let record): "\(record.conversation) \(ConversationForm.sealedUnder(record)) already"
        case .refused: nil
        }
    }

    var json: JSONValue {
        switch self {
        case .made(let record): Self.json(record, already: false)
        case .already(let record): Self.json(record, already: true)
        case .refused(let conversation, let error, let number):
            .members([
                "conversation": conversation.map { .string($0.string) } ?? .null, "line": .integer(Int64(number)),
                "error": .string(error.message),
            ])
        }
    }

    private static func json(_ record: ConversationRecord, already: Bool) -> JSONValue {
        .object((ConversationForm.json(record).members ?? []) + [JSONMember("already", .bool(already))])
    }
}
