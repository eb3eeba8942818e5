internal import Glibc

/// A file descriptor, closed when its owner goes.
final class Descriptor: Sendable {
    let number: Int32

    /// - Parameter number: what an `open` gave.
    /// - Throws: what `errno` says, when it is negative.
    init(_ number: Int32, _ path: String, _ operation: String) throws(KeyStoreError) {
        guard number >= 0 else { throw KeyStoreError(errno: errno, path, operation) }
        self.number = number
    }

    deinit { close(number) }

    func status(_ path: String) throws(KeyStoreError) -> FileStatus {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw KeyStoreError(errno: errno, path, "cannot be looked at") }
        return FileStatus(status)
    }

    /// What is at that name in this directory, a symbolic link itself; nil when nothing is.
    func status(at name: String, _ path: String) throws(KeyStoreError) -> FileStatus? {
        var status = stat()
        guard fstatat(number, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            if errno == ENOENT { return nil }
            throw KeyStoreError(errno: errno, path, "cannot be looked at")
        }
        return FileStatus(status)
    }

    /// Has everything written so far reach the disk.
    func synchronize(_ path: String) throws(KeyStoreError) {
        guard fsync(number) == 0 else { throw KeyStoreError(errno: errno, path, "cannot be written to disk") }
    }
}
