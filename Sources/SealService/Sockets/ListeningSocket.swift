import Glibc

/// A socket that is bound and listens.
final class ListeningSocket: Sendable {
    let descriptor: Int32
    /// A path to be removed at the end, where it still is this socket.
    private let path: (text: String, device: UInt64, inode: UInt64)?
    /// What others connect to, for logs.
    let name: String
    /// Whether its peers are processes of this machine, of which the kernel knows the users.
    let isUnix: Bool
    /// Whether it is reached from this machine alone.
    let isLocal: Bool

    private init(
        _ descriptor: Int32, name: String, isUnix: Bool, isLocal: Bool, path: (text: String, device: UInt64, inode: UInt64)? = nil
    ) {
        self.descriptor = descriptor
        self.name = name
        self.isUnix = isUnix
        self.isLocal = isLocal
        self.path = path
    }

    deinit { close(descriptor) }

    /// Takes its name away, where there is one and it still is this socket's.
    func removePath() {
        var status = stat()
        if let path, lstat(path.text, &status) == 0, UInt64(status.st_dev) == path.device, UInt64(status.st_ino) == path.inode {
            unlink(path.text)
        }
    }

    /// - Throws: ``ServiceError`` naming the place and the reason.
    static func open(_ place: ListenerConfiguration.Place, inherited: InheritedSockets) throws(ServiceError) -> ListeningSocket {
        switch place {
        case .unix(let path, let mode, let group): try unix(path, mode: mode, group: group)
        case .tcp(let host, let port): try tcp(host, port)
        case .inherited(let name): try adopt(inherited, name)
        }
    }

    private static func unix(_ path: String, mode: UInt32, group: UInt32?) throws(ServiceError) -> ListeningSocket {
        let descriptor = try made(AF_UNIX, path)
        do throws(ServiceError) {
            try removeStale(path)
            // Nobody connects before mode and group are as they are to be.
            let mask = umask(0o777)
            let bound = withAddress(path) { bind(descriptor, $0, $1) }
            umask(mask)
            guard bound == 0 else { throw .last(path, "it cannot be bound") }
            if let group { guard lchown(path, uid_t.max, group) == 0 else { throw .last(path, "it cannot be given to the group") } }
            guard chmod(path, mode) == 0 else { throw .last(path, "its mode cannot be set") }
            var status = stat()
            guard lstat(path, &status) == 0 else { throw .last(path, "it went away") }
            guard listen(descriptor, 1_024) == 0 else { throw .last(path, "it does not listen") }
            return ListeningSocket(
                descriptor, name: "unix:\(path)", isUnix: true, isLocal: true,
                path: (path, UInt64(status.st_dev), UInt64(status.st_ino)))
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// Removes a socket that nobody listens at any more; anything else in its place is an error.
    private static func removeStale(_ path: String) throws(ServiceError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else { throw ServiceError(path, "something else than a socket is there") }
        let probe = try made(AF_UNIX, path)
        defer { close(probe) }
        guard withAddress(path, { connect(probe, $0, $1) }) != 0 else { throw ServiceError(path, "another process listens there") }
        guard errno == ECONNREFUSED else { throw .last(path, "it cannot be told whether another process listens there") }
        guard unlink(path) == 0 else { throw .last(path, "a socket that nobody listens at cannot be removed") }
    }

    private static func tcp(_ host: String, _ port: UInt16) throws(ServiceError) -> ListeningSocket {
        let subject = "\(host):\(port)"
        var four = sockaddr_in()
        var six = sockaddr_in6()
        four.sin_family = sa_family_t(AF_INET)
        four.sin_port = port.bigEndian
        six.sin6_family = sa_family_t(AF_INET6)
        six.sin6_port = port.bigEndian
        let isFour = inet_pton(AF_INET, host, &four.sin_addr) == 1
        guard isFour || inet_pton(AF_INET6, host, &six.sin6_addr) == 1 else {
            throw ServiceError(subject, "not the number of an address; names are not looked up")
        }
        let descriptor = try made(isFour ? AF_INET : AF_INET6, subject)
        var yes: Int32 = 1
        let size = socklen_t(MemoryLayout<Int32>.size)
        let bound: Int32
        if isFour {
            setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size)
            bound = withUnsafePointer(to: &four) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
        } else {
            setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, size)
            setsockopt(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &yes, size)
            bound = withUnsafePointer(to: &six) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
                }
            }
        }
        guard bound == 0, listen(descriptor, 1_024) == 0 else {
            let error = ServiceError.last(subject, "it cannot be listened at")
            close(descriptor)
            throw error
        }
        return try described(descriptor, subject)
    }

    private static func adopt(_ inherited: InheritedSockets, _ name: String) throws(ServiceError) -> ListeningSocket {
        guard let descriptor = inherited.descriptor(named: name) else {
            throw ServiceError("listen.inherited", "no socket named \(name) was handed over")
        }
        return try described(descriptor, name)
    }

    /// What the socket itself says of where it listens.
    private static func described(_ descriptor: Int32, _ subject: String) throws(ServiceError) -> ListeningSocket {
        var accepts: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &accepts, &size) == 0, accepts != 0 else {
            throw ServiceError(subject, "it is no socket that listens")
        }
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let got = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        guard got == 0 else { throw .last(subject, "its address cannot be read") }
        switch Int32(storage.ss_family) {
        case AF_UNIX: return ListeningSocket(descriptor, name: "unix:\(subject)", isUnix: true, isLocal: true)
        case AF_INET:
            let (address, port) = withUnsafeBytes(of: &storage) { bytes in
                let address = bytes.load(as: sockaddr_in.self)
                return (UInt32(bigEndian: address.sin_addr.s_addr), UInt16(bigEndian: address.sin_port))
            }
            let text = [24, 16, 8, 0].map { "\(address >> $0 & 0xFF)" }.joined(separator: ".")
            return ListeningSocket(descriptor, name: "tcp:\(text):\(port)", isUnix: false, isLocal: address >> 24 == 127)
        case AF_INET6:
            var six = withUnsafeBytes(of: &storage) { $0.load(as: sockaddr_in6.self) }
            let isLoopback = withUnsafeBytes(of: &six.sin6_addr) { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 }
            var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
            inet_ntop(AF_INET6, &six.sin6_addr, &text, socklen_t(text.count))
            let host = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            return ListeningSocket(
                descriptor, name: "tcp:[\(host)]:\(UInt16(bigEndian: six.sin6_port))", isUnix: false, isLocal: isLoopback)
        default: throw ServiceError(subject, "it is a socket of a kind that is not served")
        }
    }

    private static func made(_ family: Int32, _ subject: String) throws(ServiceError) -> Int32 {
        let flags = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        let descriptor = socket(family, flags, 0)
        guard descriptor >= 0 else { throw .last(subject, "no socket can be made") }
        return descriptor
    }

    private static func withAddress(_ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32) -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // That it fits was looked at when the configuration was read.
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
        }
    }
}
