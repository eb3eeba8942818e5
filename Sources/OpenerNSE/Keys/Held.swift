/// The answer to reading an item of the keychain. Locked is never missing, and neither is a failure.
public enum Held<Value: Sendable>: Sendable {
    case value(Value)
    case absent
    /// There, but not readable in this lock state.
    case locked
}
