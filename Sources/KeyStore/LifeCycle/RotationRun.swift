public import EnvelopeFormat

/// A rotation of all conversations, in batches. What it has done is recorded with each, so that a run that was
/// interrupted goes on where it was, and two at once share the work.
public struct RotationRun: Sendable {
    /// What is done to each conversation.
    public enum Kind: String, Sendable, CaseIterable {
        case ratchet
        /// A fresh secret that waits; what has one waiting already is passed over.
        case rekey
        /// A fresh secret that waits, in the place of one that waits already.
        case rekeyAnew = "rekey-anew"

        /// What audit entries call it.
        var operation: AuditOperation { self == .ratchet ? .ratchet : .rekey }
    }

    public let kind: Kind
    public let started: Int64
    /// The last conversation that was looked at when this run was begun or taken up; nil for a new one.
    public let after: ConversationIdentifier?
    let identifier: String
    let olderThan: Int64?
    let promoteAfter: Int64?
}
