internal import EnvelopeFormat

/// A conversation as it is in a transaction: its row, its handles and its members.
struct Conversation {
    var row: Held<ConversationRow>
    var secrets: [Held<SecretRow>]
    var members: [Held<MemberRow>]

    var name: ConversationIdentifier { row.record.conversation }
    /// Its name as it is typed in a command line.
    var word: String { HintWord.of(name.string) }
    var algorithm: KeyAlgorithm { row.record.algorithm }
    var subject: String { row.record.subject }

    /// What is sealed under; nil when there is none, as when it is suspended.
    var active: Held<SecretRow>? { secrets.first { $0.record.state == .active } }
    var suspended: Held<SecretRow>? { secrets.first { $0.record.state == .suspended } }
    /// What a rekey waits to seal under.
    var waiting: Held<SecretRow>? { secrets.first { $0.record.state == .preActivation } }

    /// What gives a conversation without a member, or one that was retired, a secret to seal under.
    var additionHint: String? {
        isWithoutMember ? "keyctl member add --conversation \(word) --device ID" : nil
    }

    /// Whether it lacks the member that sealing needs; the key of `split` is carried by hand, to nobody the store knows.
    var isWithoutMember: Bool { members.isEmpty && algorithm != .split }

    /// The active secret.
    /// - Throws: `.refused` saying why there is none.
    func requireActive() throws(KeyStoreError) -> Held<SecretRow> {
        if let active { return active }
        let reason = suspended != nil ? "it is suspended" : isWithoutMember ? "it has no member" : "it was retired"
        throw KeyStoreError(.refused, subject, "no active secret: \(reason)", hint: suspended == nil ? additionHint : nil)
    }

    /// Puts what was written in the place of what was read.
    mutating func replace(_ secret: Held<SecretRow>) {
        if let index = secrets.firstIndex(where: { $0.record.handle == secret.record.handle }) {
            secrets[index] = secret
        } else {
            secrets.append(secret)
        }
    }
}
