internal import Glibc

/// A new file, 0600, that is there whole or not at all and never in the place of another.
final class NewFile {
    let path: AbsolutePath
    private let directory: Descriptor
    private let temporary: String
    private let file: Descriptor

    /// - Throws: `.alreadyExists`, `.cannotCreate`, `.permission`, `.full`.
    init(_ path: AbsolutePath) throws(KeyStoreError) {
        self.path = path
        directory = try ParentDirectory.open(path.parent)
        guard try directory.status(at: path.name, path.string) == nil else {
            throw KeyStoreError(.alreadyExists, path.string, "it is there already", hint: "name a file that is not there")
        }
        temporary = ".\(path.name).new-\(try RandomName.make())"
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        file = try Descriptor(openat(directory.number, temporary, flags, 0o600), path.string, "it cannot be made")
    }

    deinit { unlinkat(directory.number, temporary, 0) }

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
        guard linkat(directory.number, temporary, directory.number, path.name, 0) == 0 else {
            throw KeyStoreError(errno: errno, path.string, "it cannot be given its name")
        }
        let readable = try Descriptor(
            openat(directory.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), path.parent.string, "cannot be opened")
        try readable.synchronize(path.parent.string)
    }
}
