/// What came of reading an item of the keychain. Locked is never told as absent.
public enum Reading<Value: Sendable>: Sendable {
    case value(Value)
    /// There is no such item.
    case absent
    /// It is there, but not to be read in this lock state.
    case locked
    /// It cannot be told: damaged, not permitted, out of order.
    case unavailable(KeyStoreError)

    /// The value, if there is one.
    public var value: Value? {
        if case .value(let value) = self { return value }
        return nil
    }

    init(_ body: () throws(KeyStoreError) -> Value) {
        do { self = .value(try body()) } catch {
            switch error.kind {
            case .notFound: self = .absent
            case .locked: self = .locked
            default: self = .unavailable(error)
            }
        }
    }
}
