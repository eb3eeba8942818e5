internal import EnvelopeFormat

/// An epoch a device holds; its secret goes when its time is over, the row 35 days later.
struct HeldEpochRow: Record {
    static let table = Table.heldEpoch
    let kid: KeyIdentifier
    let conversation: ConversationIdentifier
    let algorithm: KeyAlgorithm
    /// The class of the secret, which stays when that is erased.
    var accessible: AccessibilityClass
    private(set) var state: KeyState
    var openUntil: Int64?
    /// The order in which the first bundles of handles were installed.
    let installOrder: Int64
    let added: Int64

    var identifier: String { kid.description }

    init(
        kid: KeyIdentifier, conversation: ConversationIdentifier, algorithm: KeyAlgorithm,
        accessible: AccessibilityClass, state: KeyState, openUntil: Int64?, installOrder: Int64, added: Int64
    ) {
        self.kid = kid
        self.conversation = conversation
        self.algorithm = algorithm
        self.accessible = accessible
        self.state = state
        self.openUntil = openUntil
        self.installOrder = installOrder
        self.added = added
    }

    init(identifier: String, fields: inout FieldReader) throws(KeyStoreError) {
        guard let kid = KeyIdentifier(identifier) else { throw fields.damaged }
        self.kid = kid
        conversation = try fields.parsed { try? ConversationIdentifier($0) }
        algorithm = try fields.word()
        guard try fields.text().isSame(as: kid.handle.string), try fields.integer() == Int64(kid.epoch) else {
            throw fields.damaged
        }
        accessible = try fields.word()
        state = try fields.word()
        openUntil = try fields.optionalInteger()
        installOrder = try fields.integer()
        added = try fields.integer()
    }

    var values: [FieldValue] {
        [
            .text(conversation.string), .text(algorithm.rawValue), .text(kid.handle.string), .integer(Int64(kid.epoch)),
            .text(accessible.rawValue), .text(state.rawValue), FieldValue(openUntil), .integer(installOrder),
            .integer(added),
        ]
    }

    var subject: String { "conversation \(conversation)" }

    /// Each move is an audit entry.
    /// - Throws: `.refused` for a move that the table of moves has not.
    mutating func move(to state: KeyState, in rows: RecordTransaction) throws(KeyStoreError) {
        guard state != self.state else { return }
        try KeyStateMoves.check(from: self.state, to: state, "epoch \(kid)")
        rows.audit(.keyState, subject, kid: kid, reason: "\(self.state.rawValue) -> \(state.rawValue)")
        self.state = state
    }
}
