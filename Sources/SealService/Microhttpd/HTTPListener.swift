internal import CMicrohttpd
import Glibc
import KeyStore
import Synchronization

/// A listening socket that is served: libmicrohttpd reads and writes, a handler decides and answers.
///
/// The library calls with a connection on one of its threads, always the same for a connection. An answer that takes longer is made
/// elsewhere while the connection is suspended.
final class HTTPListener: Sendable {
    let handler: any HTTPHandler
    let limits: HTTPLimits
    let certificates: TLSCertificates?
    let connections: ConnectionTable
    private let socket: Int32
    private let daemon = Mutex<MHDDaemon?>(nil)

    /// - Parameter socket: bound and listening; it stays the caller's.
    init(socket: Int32, handler: any HTTPHandler, limits: HTTPLimits, certificates: TLSCertificates? = nil) {
        self.socket = socket
        self.handler = handler
        self.limits = limits
        self.certificates = certificates
        connections = ConnectionTable(limits)
    }

    /// - Returns: false where the library does not start, as with a certificate and a key that do not belong together.
    func start() -> Bool {
        // The library closes what it was given, also where it does not start.
        let listening = fcntl(socket, F_DUPFD_CLOEXEC, 3)
        guard listening >= 0 else { return false }
        let context = Unmanaged.passUnretained(self).toOpaque()
        guard let started = withSettings(listening, context, { MHDDaemon(waxwing_http_start($0)) }) else { return false }
        daemon.withLock { $0 = started }
        return true
    }

    /// Takes no more connections. Those that are there go on.
    func quiesce() { daemon.withLock { $0?.quiesce() } }

    /// Ends what waits too long.
    func sweep(now: Double) {
        connections.sweep(now: now, answer: certificates == nil ? WireAnswer.bytes(of: handler.timedOut()) : nil)
    }

    /// Ends the library's threads, and whatever is not answered yet.
    func stop() {
        let taken = daemon.withLock { daemon -> MHDDaemon? in
            defer { daemon = nil }
            return daemon
        }
        taken?.stop()
    }

    private func withSettings<Result>(
        _ listening: Int32, _ context: UnsafeMutableRawPointer, _ body: (UnsafePointer<waxwing_http_settings>) -> Result
    ) -> Result {
        var settings = waxwing_http_settings()
        settings.listening_socket = listening
        settings.thread_count = UInt32(limits.threads)
        // Each thread has its share of them, and takes no more for a moment. The table ends the idle ones long before.
        settings.most_connections = UInt32(limits.connections * 2 + 64)
        settings.header_byte_count = limits.headBytes
        // The table counts; this is for what it cannot see, as a handshake of TLS.
        settings.idle_seconds = UInt32(limits.idleSeconds + limits.bodySeconds)
        settings.context = context
        settings.request = mhdRequest
        settings.completed = mhdCompleted
        settings.connection = mhdConnection
        settings.unescape = mhdUnescape
        guard let certificates else { return body(&settings) }
        return certificates.withPointers { certificate, key, authority in
            settings.certificate = certificate
            settings.private_key = key
            settings.authority = authority
            return TLSCertificates.priorities.withCString { priorities in
                settings.priorities = priorities
                return body(&settings)
            }
        }
    }
}

/// The library's handle; it may be used from any thread.
private struct MHDDaemon: @unchecked Sendable {
    private let handle: OpaquePointer

    init?(_ handle: OpaquePointer?) {
        guard let handle else { return nil }
        self.handle = handle
    }

    func quiesce() {
        let listening = MHD_quiesce_daemon(handle)
        if listening >= 0 { close(listening) }
    }

    func stop() { MHD_stop_daemon(handle) }
}
