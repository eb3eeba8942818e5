/// Whether a message was opened before.
public enum ReplayAnswer: Equatable, Sendable {
    case new, seen
    /// It cannot be told: the record is locked, full, damaged, or was pruned past the message's bound.
    case unchecked
}
