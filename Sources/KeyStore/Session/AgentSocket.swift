internal import CLinux
internal import Glibc

/// One end of a connection between an agent and its clients.
final class AgentSocket {
    /// The socket's name in the access group's directory.
    static let fileName = "agent.sock"

    let descriptor: Int32

    /// Takes the descriptor over.
    init(owning descriptor: Int32) { self.descriptor = descriptor }

    deinit { close(descriptor) }

    /// A connection to the agent of the directory; nil when none is running.
    /// - Throws: ``SessionError/notAdmitted`` when what listens there is not of the store's user or group.
    static func connect(_ directory: SessionDirectory, _ place: SessionPlace) throws(SessionError) -> AgentSocket? {
        let socket = try make(timeout: 5)
        let path = directory.pathByDescriptor(fileName)
        guard try socket.withAddress(path, { Glibc.connect(socket.descriptor, $0, $1) }) == 0 else {
            let code = errno
            if code == ENOENT || code == ECONNREFUSED { return nil }
            if code == EAGAIN || code == EINTR { throw .timedOut }
            throw .system(operation: "connect \(directory.path)/\(fileName)", code: code)
        }
        guard try socket.isPeerAdmitted(group: place.group) else { throw .notAdmitted }
        return socket
    }

    /// A socket that waits at most so many seconds in each call.
    static func make(timeout seconds: Int) throws(SessionError) -> AgentSocket {
        let type = Int32(SOCK_SEQPACKET.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { throw .last("socket") }
        let result = AgentSocket(owning: descriptor)
        var limit = timeval(tv_sec: seconds, tv_usec: 0)
        for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
            guard setsockopt(descriptor, SOL_SOCKET, option, &limit, socklen_t(MemoryLayout<timeval>.size)) == 0 else {
                throw .last("setsockopt")
            }
        }
        return result
    }

    /// Calls with the path as a socket's address.
    func withAddress(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) throws(SessionError) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let letters = Array(path.utf8) + [0]
        guard letters.count <= MemoryLayout.size(ofValue: address.sun_path) else {
            throw .badInput("a socket's path of \(letters.count) bytes")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: letters) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    /// Whether the process at the other end is of this user or, with a group, of the group or root.
    func isPeerAdmitted(group: UInt32?) throws(SessionError) -> Bool {
        let peer = try PeerCredentials(of: descriptor)
        if peer.uid == geteuid() { return true }
        guard let group else { return false }
        return peer.uid == 0 || peer.isOf(group: group)
    }

    /// Sends the message whole; false when the other end is gone or will not take it.
    func send(_ message: AgentMessage, flags: Int32 = 0) -> Bool {
        message.bytes.withBytes { bytes in
            Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL) | flags) == bytes.count
        }
    }

    /// The next message; nil when the other end closed or sent one that is too long.
    /// - Throws: ``SessionError/timedOut`` when none is there (in time).
    func receive(flags: Int32 = 0) throws(SessionError) -> AgentMessage? {
        do {
            var received = 0
            var code: Int32 = 0
            let frame = try GuardedBytes(
                count: AgentMessage.maximumByteCount,
                filledBy: { (buffer) throws(SodiumError) in
                    received = recv(
                        descriptor, buffer.baseAddress, buffer.count, Int32(MSG_TRUNC) | flags)
                    code = errno
                })
            if received < 0, code == EAGAIN || code == EINTR { throw SessionError.timedOut }
            guard 1...AgentMessage.maximumByteCount ~= received else { return nil }
            return AgentMessage(
                try frame.withBytes { (bytes) throws(SodiumError) in
                    try GuardedBytes(copying: UnsafeRawBufferPointer(rebasing: bytes.prefix(received)))
                })
        } catch let error as SodiumError {
            throw .memory(error)
        } catch { throw .timedOut }
    }
}
