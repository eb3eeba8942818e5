internal import CMicrohttpd
import Synchronization

/// Suspends a connection until its answer is there, whichever comes first.
final class Resumption: Sendable {
    private enum State { case made, suspended, answered }

    /// The library's handle; it may be resumed from any thread, once.
    private struct Handle: @unchecked Sendable { let pointer: OpaquePointer }

    private let connection: Handle
    private let state = Mutex(State.made)

    init(_ connection: OpaquePointer) { self.connection = Handle(pointer: connection) }

    /// On the library's thread. Both calls are made under the lock, so that none is resumed that was not suspended.
    func suspend() {
        state.withLock { state in
            MHD_suspend_connection(connection.pointer)
            if state == .answered { MHD_resume_connection(connection.pointer) } else { state = .suspended }
        }
    }

    func answered() {
        state.withLock { state in
            if state == .suspended { MHD_resume_connection(connection.pointer) }
            state = .answered
        }
    }
}
