import Glibc
import Synchronization

/// The connections of a listener, so that those that take too long are ended: the HTTP library counts silence alone.
final class ConnectionTable: Sendable {
    private let connections = Mutex<[ObjectIdentifier: HTTPConnection]>([:])
    private let limits: HTTPLimits

    init(_ limits: HTTPLimits) { self.limits = limits }

    var count: Int { connections.withLock { $0.count } }

    func add(_ connection: HTTPConnection) {
        connections.withLock { connections in
            connections[ObjectIdentifier(connection)] = connection
            guard connections.count > limits.connections else { return }
            // The one that has been idle the longest makes room.
            let idle = connections.values.filter { $0.waiting.wait == .head && $0 !== connection }
            idle.min { $0.waiting.since < $1.waiting.since }?.end()
        }
    }

    /// Before the socket is closed, so that a number that is used anew is never shut down for this one.
    func remove(_ connection: HTTPConnection) { _ = connections.withLock { $0.removeValue(forKey: ObjectIdentifier(connection)) } }

    /// Ends what has been waited for too long.
    /// - Parameter answer: what one that was slow with its body is sent, as bytes on the wire; nil where that cannot be.
    func sweep(now: Double, answer: [UInt8]?) {
        connections.withLock { connections in
            for connection in connections.values {
                let (wait, since) = connection.waiting
                switch wait {
                case .nothing: continue
                case .head: guard now - since > limits.idleSeconds else { continue }
                case .body:
                    guard now - since > limits.bodySeconds else { continue }
                    if let answer { _ = send(connection.socket, answer, answer.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)) }
                }
                connection.end()
            }
        }
    }

    /// Ends every connection that waits for a request.
    func endIdle() {
        connections.withLock { connections in
            for connection in connections.values where connection.waiting.wait == .head { connection.end() }
        }
    }
}
