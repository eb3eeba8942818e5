import EnvelopeFormat
import KeyStore

/// How the lock state is shown.
enum LockView {
    static func view(of store: Store) throws -> View { view(of: try store.lockState) }

    static func view(of state: LockState) -> View {
        View(lines: [state.rawValue], json: .members(["lock_state": .string(state.rawValue)]))
    }
}
