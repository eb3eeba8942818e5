#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A directory for files that are being made, each by one thread, and seen by nobody else.
final class WorkDirectory: Sendable {
    private let directory: OpenDirectory

    /// Makes the directory where it is not there yet; those above it have to be.
    init(_ path: String) throws(ContainerError) { directory = try OpenDirectory(path) }

    /// A file of a new name, which goes with the object.
    func make() throws(ContainerError) -> WorkFile { try WorkFile(newStem() + ".part") }

    /// A path in the directory that nothing has, without an extension.
    func newStem() -> String {
        "\(directory.path)/\(String(UInt64.random(in: 0 ... .max), radix: 36))\(String(UInt64.random(in: 0 ... .max), radix: 36))"
    }

    /// Removes what has not been written to for so many seconds, or claims to come from later than now by as many.
    func removeLeftovers(olderThan age: Int64) {
        let now = Int64(time(nil))
        for name in (try? directory.names()) ?? [] {
            var status = stat()
            guard fstatat(directory.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT != S_IFDIR else {
                continue
            }
            #if canImport(Darwin)
                let written = Int64(status.st_mtimespec.tv_sec)
            #else
                let written = Int64(status.st_mtim.tv_sec)
            #endif
            // Another process may have removed it first; one that cannot be removed is tried again the next time.
            if abs(now - written) > age { unlinkat(directory.descriptor, name, 0) }
        }
    }
}
