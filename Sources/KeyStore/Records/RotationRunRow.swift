internal import EnvelopeFormat

/// A rotation of all conversations that is not complete, and how far it has come.
struct RotationRunRow: Record {
    static let table = Table.rotationRun
    let kind: RotationRun.Kind
    /// What tells it from a later run of the same kind.
    let run: String
    let olderThan: Int64?
    /// Of a rekey, the longest wait in seconds.
    let promoteAfter: Int64?
    let started: Int64
    /// The last conversation it has looked at; nil before the first.
    var lastConversation: ConversationIdentifier?

    var identifier: String { kind.rawValue }

    init(kind: RotationRun.Kind, run: String, olderThan: Int64?, promoteAfter: Int64?, started: Int64) {
        self.kind = kind
        self.run = run
        self.olderThan = olderThan
        self.promoteAfter = promoteAfter
        self.started = started
    }

    init(identifier: String, fields: inout FieldReader) throws(KeyStoreError) {
        guard let kind = RotationRun.Kind(rawValue: identifier) else { throw fields.damaged }
        self.kind = kind
        run = try fields.text()
        olderThan = try fields.optionalInteger()
        promoteAfter = try fields.optionalInteger()
        started = try fields.integer()
        if let text = try fields.optionalText() {
            guard let name = try? ConversationIdentifier(text) else { throw fields.damaged }
            lastConversation = name
        }
    }

    var values: [FieldValue] {
        [
            .text(run), FieldValue(olderThan), FieldValue(promoteAfter), .integer(started),
            FieldValue(lastConversation?.string),
        ]
    }
}
