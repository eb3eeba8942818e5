/// Whether a message was opened before.
public enum ReplayAnswer: String, Sendable, Equatable {
    case new
    case seen
    /// The record could not be read or written, or says nothing about messages that old.
    case unchecked
}
