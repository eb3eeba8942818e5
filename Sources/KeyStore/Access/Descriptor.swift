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

    /// That things can be made in this directory.
    /// - Throws: `.permission`, `.readOnly`; for anything else `.cannotCreate`.
    func requireWritable(_ path: String) throws(KeyStoreError) {
        guard faccessat(number, ".", W_OK | X_OK, AT_EACCESS) != 0 else { return }
        throw Self.cannotCreate(errno, path, "it cannot be made")
    }

    /// Why something cannot be made: what is wrong with the disk, or with the rights, by its own name.
    static func cannotCreate(_ code: Int32, _ path: String, _ operation: String) -> KeyStoreError {
        let cause = KeyStoreError(errno: code, path, operation)
        let kinds: [KeyStoreError.Kind] = [.full, .readOnly, .permission, .inputOutput]
        return kinds.contains(cause.kind) ? cause : KeyStoreError(.cannotCreate, cause.subject, cause.reason)
    }

    /// Has everything written so far reach the disk.
    func synchronize(_ path: String) throws(KeyStoreError) {
        guard fsync(number) == 0 else { throw KeyStoreError(errno: errno, path, "cannot be written to disk") }
    }
}
