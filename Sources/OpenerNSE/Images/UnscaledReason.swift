/// Why an image is attached as it was fetched, and not made smaller.
public enum UnscaledReason: String, Sendable, CaseIterable {
    /// It moves, and is small enough; made smaller it would stand still.
    case moving
    /// Nothing that is built in scales images of its type.
    case noDecoder = "no-decoder"
    /// Its header says that scaling it takes more memory or time than there is.
    case overBudget = "over-budget"
}
