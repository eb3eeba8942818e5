internal import EnvelopeFormat

/// A key of the split profile that a device holds.
struct SplitKeyRow: Record {
    static let table = Table.splitKey
    /// `split:` and 8 hexadecimal digits.
    let identifier: String
    let conversation: ConversationIdentifier
    private(set) var state: KeyState
    let until: Int64
    let installOrder: Int64

    init(name: String, conversation: ConversationIdentifier, until: Int64, installOrder: Int64) {
        identifier = name
        self.conversation = conversation
        state = .active
        self.until = until
        self.installOrder = installOrder
    }

    init(identifier: String, fields: inout FieldReader) throws(KeyStoreError) {
        self.identifier = identifier
        conversation = try fields.parsed { try? ConversationIdentifier($0) }
        state = try fields.word()
        until = try fields.integer()
        installOrder = try fields.integer()
    }

    /// Whether it opens nothing for good; the table of moves has no way back.
    var isEnded: Bool { state == .compromised || state == .destroyed }

    var values: [FieldValue] {
        [.text(conversation.string), .text(state.rawValue), .integer(until), .integer(installOrder)]
    }

    /// Each move is an audit entry.
    /// - Throws: `.refused` for a move that the table of moves has not.
    mutating func move(to state: KeyState, in rows: RecordTransaction) throws(KeyStoreError) {
        guard state != self.state else { return }
        try KeyStateMoves.check(from: self.state, to: state, identifier)
        rows.audit(.keyState, "conversation \(conversation)", reason: "\(identifier): \(self.state.rawValue) -> \(state.rawValue)")
        self.state = state
    }
}
