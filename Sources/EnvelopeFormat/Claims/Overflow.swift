/// What is done with a body that does not fit.
public enum Overflow: String, Sendable, CaseIterable {
    /// It is cut to the most grapheme clusters that fit with an ellipsis, and `trunc` is set.
    case truncate
    /// Sealing is refused.
    case error
}
