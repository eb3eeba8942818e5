/// How a store stands to its anchor, as far as it can be told.
public struct AnchorReport: Equatable, Sendable {
    public enum State: Equatable, Sendable {
        /// The anchor says the same as the store.
        case holds
        /// The last change is not written to the anchor yet; the next writer does that first.
        case behind
        /// The anchor cannot be read, for this reason; changes of keys are refused until it can.
        case unreadable(String)
    }

    /// The absolute path of the file.
    public let path: String
    public let state: State
}
