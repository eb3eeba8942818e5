internal import Glibc

/// A new file, 0600, that is there whole or not at all and never in the place of another.
final class NewFile {
    let path: AbsolutePath
    private let directory: Descriptor
    /// The name it has until then; nil where the file system makes files without a name.
    private let temporary: String?
    private let file: Descriptor

    /// - Throws: `.alreadyExists`, `.cannotCreate`, `.permission`, `.full`.
    init(_ path: AbsolutePath) throws(KeyStoreError) {
        self.path = path
        directory = try Self.directory(of: path)
        // Without a name, so that nothing is left of it when the process is killed.
        let nameless = openat(directory.number, ".", O_WRONLY | Self.temporaryFile | O_CLOEXEC, 0o600)
        if nameless >= 0 {
            temporary = nil
            file = try Descriptor(nameless, path.string, "it cannot be made")
        } else {
            let name = ".\(path.name).new-\(try RandomName.make())"
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            let number = openat(directory.number, name, flags, 0o600)
            if number < 0 {
                let cause = KeyStoreError(errno: errno, path.string, "it cannot be made")
                throw [.full, .readOnly, .permission].contains(cause.kind)
                    ? cause : KeyStoreError(.cannotCreate, cause.subject, cause.reason)
            }
            temporary = name
            file = try Descriptor(number, path.string, "it cannot be made")
        }
    }

    deinit { if let temporary { unlinkat(directory.number, temporary, 0) } }

    /// - Throws: `.alreadyExists` when something has that name.
    static func requireAbsent(_ path: AbsolutePath) throws(KeyStoreError) { _ = try directory(of: path) }

    /// O_TMPFILE, which is not imported.
    private static let temporaryFile: Int32 = 0o20000000 | O_DIRECTORY

    private static func directory(of path: AbsolutePath) throws(KeyStoreError) -> Descriptor {
        let directory = try ParentDirectory.open(path.parent)
        guard try directory.status(at: path.name, path.string) == nil else {
            throw KeyStoreError(.alreadyExists, path.string, "it is there already", hint: "name a file that is not there")
        }
        return directory
    }

    func write(_ bytes: [UInt8]) throws(KeyStoreError) {
        var offset = 0
        while offset < bytes.count {
            let written = bytes.withUnsafeBytes { buffer in
                Glibc.write(file.number, buffer.baseAddress.map { $0 + offset }, buffer.count - offset)
            }
            if written < 0, errno == EINTR { continue }
            guard written > 0 else {
                throw KeyStoreError(errno: written < 0 ? errno : EIO, path.string, "it cannot be written")
            }
            offset += written
        }
    }

    /// Makes it durable and gives it its name.
    func commit() throws(KeyStoreError) {
        guard fchmod(file.number, 0o600) == 0 else { throw KeyStoreError(errno: errno, path.string, "it cannot be made") }
        try file.synchronize(path.string)
        let status =
            if let temporary { linkat(directory.number, temporary, directory.number, path.name, 0) } else {
                linkat(AT_FDCWD, "/proc/self/fd/\(file.number)", directory.number, path.name, AT_SYMLINK_FOLLOW)
            }
        guard status == 0 else {
            throw KeyStoreError(errno: errno, path.string, "it cannot be given its name")
        }
        let readable = try Descriptor(
            openat(directory.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), path.parent.string, "cannot be opened")
        try readable.synchronize(path.parent.string)
    }
}
