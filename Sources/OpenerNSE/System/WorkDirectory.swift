#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A directory for files that are being made, each by one thread, and seen by nobody else.
final class WorkDirectory: Sendable {
    let path: String
    private let descriptor: Int32

    /// Makes the directory where it is not there yet; those above it have to be.
    init(_ path: String) throws(ContainerError) {
        self.path = path
        let made = mkdir(path, 0o700)
        guard made == 0 || errno == EEXIST else { throw ContainerError(name: path, operation: "mkdir", code: errno) }
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ContainerError(name: path, operation: "open", code: errno) }
    }

    deinit { close(descriptor) }

    /// A file of a new name, which goes with the object.
    func make() throws(ContainerError) -> WorkFile { try WorkFile(newStem() + ".part") }

    /// A path in the directory that nothing has, without an extension.
    func newStem() -> String {
        "\(path)/\(String(UInt64.random(in: 0 ... .max), radix: 36))\(String(UInt64.random(in: 0 ... .max), radix: 36))"
    }

    /// Removes what has not been written to for so many seconds, or claims to come from later than now by as many.
    func removeLeftovers(olderThan age: Int64) {
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0 else { return }
        guard let stream = fdopendir(copy) else {
            close(copy)
            return
        }
        defer { closedir(stream) }
        let now = Int64(time(nil))
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { buffer in
                String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self)
            }
            var status = stat()
            guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT != S_IFDIR else { continue }
            #if canImport(Darwin)
                let written = Int64(status.st_mtimespec.tv_sec)
            #else
                let written = Int64(status.st_mtim.tv_sec)
            #endif
            // Another process may have removed it first; one that cannot be removed is tried again the next time.
            if abs(now - written) > age { unlinkat(descriptor, name, 0) }
        }
    }
}
