internal import EnvelopeFormat

/// A conversation secret by its handle; the secret in it is that of the newest epoch, as long as it may seal.
struct SecretRow: Record {
    static let table = Table.conversationSecret
    let handle: Handle
    let conversation: ConversationIdentifier
    let algorithm: KeyAlgorithm
    private(set) var state: KeyState
    var epoch: Int
    let created: Int64
    var activated: Int64?
    /// When the newest epoch was made.
    var epochStarted: Int64?
    var deactivated: Int64?
    var openUntil: Int64?
    /// When it becomes active whoever has not acknowledged it.
    var promoteAt: Int64?
    /// How many seals were leased under the newest epoch; the next lease begins here.
    var leased: Int64
    /// What a split key is called: `split:` and 8 hexadecimal digits.
    let name: String?

    var identifier: String { handle.string }
    var subject: String { "conversation \(conversation)" }

    init(
        handle: Handle, conversation: ConversationIdentifier, algorithm: KeyAlgorithm, created: Int64, name: String?
    ) {
        self.handle = handle
        self.conversation = conversation
        self.algorithm = algorithm
        state = .preActivation
        epoch = 0
        self.created = created
        leased = 0
        self.name = name
    }

    init(identifier: String, fields: inout FieldReader) throws(KeyStoreError) {
        guard let handle = Handle(identifier) else { throw fields.damaged }
        self.handle = handle
        conversation = try fields.parsed { try? ConversationIdentifier($0) }
        algorithm = try fields.word()
        state = try fields.word()
        epoch = Int(try fields.integer())
        guard (0...KeyIdentifier.lastEpoch).contains(epoch) else { throw fields.damaged }
        created = try fields.integer()
        activated = try fields.optionalInteger()
        epochStarted = try fields.optionalInteger()
        deactivated = try fields.optionalInteger()
        openUntil = try fields.optionalInteger()
        promoteAt = try fields.optionalInteger()
        leased = try fields.integer()
        guard (0...Cryptoperiod.lastSeal).contains(leased) else { throw fields.damaged }
        name = try fields.optionalText()
    }

    var values: [FieldValue] {
        [
            .text(conversation.string), .text(algorithm.rawValue), .text(state.rawValue), .integer(Int64(epoch)),
            .integer(created), FieldValue(activated), FieldValue(epochStarted), FieldValue(deactivated),
            FieldValue(openUntil), FieldValue(promoteAt), .integer(leased), FieldValue(name),
        ]
    }

    /// The name of its newest epoch.
    func kid() throws(KeyStoreError) -> KeyIdentifier {
        do { return try KeyIdentifier(handle: handle, epoch: epoch) } catch {
            throw KeyStoreError(.damaged, subject, error.description)
        }
    }

    /// Each move is an audit entry.
    /// - Throws: `.refused` for a move that the table of moves has not.
    mutating func move(to state: KeyState, in rows: RecordTransaction) throws(KeyStoreError) {
        try KeyStateMoves.check(from: self.state, to: state, subject)
        rows.audit(.keyState, subject, kid: try kid(), reason: "\(self.state.rawValue) -> \(state.rawValue)")
        self.state = state
    }
}
