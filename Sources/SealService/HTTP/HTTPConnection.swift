import Glibc
import KeyStore
import Synchronization

/// One connection: who is at the other end, and since when it is waited for.
final class HTTPConnection: Sendable {
    /// What a connection is waited for.
    enum Wait: Sendable, Equatable {
        /// A request's head; also between requests.
        case head
        /// A request's body.
        case body
        /// Nothing: its answer is made or sent.
        case nothing
    }

    let socket: Int32
    /// Of a Unix socket; nil of others, and where the kernel does not tell.
    let peer: PeerCredentials?
    /// The common name in a client certificate that an authority of ours signed; known once the first request came.
    let clientName = Mutex<String?>(nil)
    private let state: Mutex<(wait: Wait, since: Double)>

    init(socket: Int32, peer: PeerCredentials?, now: Double) {
        self.socket = socket
        self.peer = peer
        state = Mutex((.head, now))
    }

    func wait(for wait: Wait, now: Double) { state.withLock { $0 = (wait, now) } }

    /// Ends it: the HTTP library finds it closed. To be called while the socket cannot be closed and its number used anew.
    func end() {
        wait(for: .nothing, now: 0)
        shutdown(socket, Int32(SHUT_RDWR))
    }

    var waiting: (wait: Wait, since: Double) { state.withLock { $0 } }
}
