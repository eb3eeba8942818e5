import EnvelopeFormat
import Glibc

/// A file that the service is set up by.
enum ConfigurationFile {
    private static let mostBytes = 4 << 20

    /// Who may see it besides its owner and root.
    enum Secrecy { case open, secret }

    /// The bytes of a file that nobody but its owner and root can change, and where it is secret nobody else read.
    /// - Throws: ``ServiceError`` naming the path.
    static func read(_ path: String, _ secrecy: Secrecy = .open) throws(ServiceError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .last(path, "it cannot be read") }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .last(path, "it cannot be looked at") }
        guard status.st_mode & S_IFMT == S_IFREG else { throw ServiceError(path, "it is no file") }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw ServiceError(path, "it is another user's (uid \(status.st_uid))")
        }
        let forbidden: mode_t = secrecy == .secret ? 0o027 : 0o022
        guard status.st_mode & forbidden == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw ServiceError(path, "mode 0\(mode) lets others \(status.st_mode & 0o022 != 0 ? "change" : "read") it")
        }
        guard status.st_size <= Self.mostBytes else {
            throw ServiceError(path, "\(status.st_size) bytes, where \(Self.mostBytes) are taken")
        }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .last(path, "it cannot be read") }
            if count == 0 { return bytes }
            bytes += piece[..<count]
            guard bytes.count <= Self.mostBytes else { throw ServiceError(path, "it grows while it is read") }
        }
    }

    /// Reads and understands; what is wrong is told with the path.
    static func parse<Value>(
        _ path: String, _ secrecy: Secrecy = .open, _ read: ([UInt8]) throws(FormatError) -> Value
    ) throws(ServiceError) -> Value {
        let bytes = try Self.read(path, secrecy)
        do { return try read(bytes) } catch { throw ServiceError(path, error.description) }
    }
}
