#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A file that is being made. It is removed with the object, unless it was kept.
final class WorkFile {
    let path: String
    private let descriptor: Int32
    private var isKept = false
    /// As many as were written.
    private(set) var byteCount = 0

    init(_ path: String) throws(ContainerError) {
        self.path = path
        descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw ContainerError(path, "create") }
    }

    deinit {
        close(descriptor)
        if !isKept { unlink(path) }
    }

    /// Adds bytes at the end.
    func write(_ bytes: [UInt8]) throws(ContainerError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                pwrite(descriptor, buffer.baseAddress?.advanced(by: written), buffer.count - written, off_t(byteCount))
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw ContainerError(path, "write") }
            written += count
            byteCount += count
        }
    }

    /// Reads it from the start, until the body answers false.
    func pieces(of length: Int, _ body: ([UInt8]) throws(ImageFailure) -> Bool) throws(ImageFailure) {
        var at = 0
        while at < byteCount {
            let bytes = try read(at: at, length: length)
            at += bytes.count
            guard try body(bytes) else { return }
        }
    }

    /// So many bytes from there on, or fewer; at least one.
    func read(at: Int, length: Int) throws(ImageFailure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: min(length, byteCount - at))
        while true {
            let count = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(at)) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw .storage }
            bytes.removeLast(bytes.count - count)
            return bytes
        }
    }

    /// Gives it the name it is to have from now on.
    /// - Returns: the path.
    func keep(extension name: String) throws(ContainerError) -> String {
        let stem = path.hasSuffix(".part") ? String(path.dropLast(5)) : path
        let target = "\(stem).\(name)"
        guard rename(path, target) == 0 else { throw ContainerError(path, "rename") }
        isKept = true
        return target
    }
}
