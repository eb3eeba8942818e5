import BackendJSON
import EnvelopeFormat
import KeyStore

/// How the lock state is shown.
enum LockView {
    static func view(of store: Store) throws -> View {
        view(of: try store.lockState, secondsUntilLock: try store.secondsUntilLock)
    }

    static func view(of state: LockState, secondsUntilLock left: Int? = nil) -> View {
        View(
            lines: [([state.rawValue] + remark(left)).joined(separator: ", ")],
            json: .members(["lock_state": .string(state.rawValue), "seconds_until_lock": left.map { .integer($0) }]))
    }

    /// What there is to say of a store that locks itself.
    static func remark(_ secondsUntilLock: Int?) -> [String] {
        secondsUntilLock.map { ["locks itself in \($0) s"] } ?? []
    }
}
