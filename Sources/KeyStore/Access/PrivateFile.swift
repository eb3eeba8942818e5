internal import Glibc

/// A file of secret bytes that is there whole or not at all, readable by its owner alone.
enum PrivateFile {
    /// Makes the file, mode 0600 whatever the umask; false when something has its name already, which is left as it is.
    static func make(_ path: AbsolutePath, _ bytes: UnsafeRawBufferPointer) throws(KeyStoreError) -> Bool {
        let directory = try ParentDirectory.open(path.parent)
        guard try directory.status(at: path.name, path.string) == nil else { return false }
        let temporary = ".\(path.name).new-\(try RandomName.make())"
        defer { unlinkat(directory.number, temporary, 0) }
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let file = try Descriptor(openat(directory.number, temporary, flags, 0o600), path.string, "cannot be made")
        guard write(file.number, bytes.baseAddress, bytes.count) == bytes.count else {
            throw KeyStoreError(errno: errno, path.string, "cannot be written")
        }
        guard fchmod(file.number, 0o600) == 0 else { throw KeyStoreError(errno: errno, path.string, "cannot be made") }
        try file.synchronize(path.string)
        // A link, as it never takes the place of a file that somebody made meanwhile.
        guard linkat(directory.number, temporary, directory.number, path.name, 0) == 0 else {
            if errno == EEXIST { return false }
            throw KeyStoreError(errno: errno, path.string, "cannot be made")
        }
        return true
    }

    /// Removes a file that was made a moment ago.
    static func remove(_ path: AbsolutePath) {
        guard let directory = try? ParentDirectory.open(path.parent) else { return }
        unlinkat(directory.number, path.name, 0)
    }
}
