internal import Glibc

/// A new file that is there whole or not at all, 0600 unless it is given another mode.
///
/// Where the file system makes files without a name it has none until it is complete, so that nothing is left of it when
/// the process is killed.
package final class NewFile {
    let path: AbsolutePath
    private let directory: Descriptor
    /// The name it has until then; nil for none.
    private var temporary: String?
    private let file: Descriptor

    /// Everything that can be refused is refused now.
    /// - Throws: `.alreadyExists`, `.cannotCreate`, `.permission`, `.full`, `.unavailable`.
    package convenience init(creating path: String) throws(KeyStoreError) {
        try self.init(try AbsolutePath(path))
    }

    /// In the place of nothing.
    /// - Throws: `.alreadyExists`, `.cannotCreate`, `.permission`, `.full`.
    convenience init(_ path: AbsolutePath) throws(KeyStoreError) {
        try self.init(path, in: try Self.directory(of: path))
    }

    /// - Parameter directory: that of the path, as its user trusts it.
    init(_ path: AbsolutePath, in directory: Descriptor) throws(KeyStoreError) {
        self.path = path
        self.directory = directory
        // Without /proc such a file could not be given its name.
        let nameless =
            access("/proc/self/fd", X_OK) == 0
            ? openat(directory.number, ".", O_RDWR | Self.temporaryFile | O_CLOEXEC, 0o600) : -1
        if nameless >= 0 {
            file = try Descriptor(nameless, path.string, "it cannot be made")
            return
        }
        let name = try Self.temporaryName(for: path)
        let flags = O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let number = openat(directory.number, name, flags, 0o600)
        if number < 0 { throw Descriptor.cannotCreate(errno, path.string, "it cannot be made") }
        file = try Descriptor(number, path.string, "it cannot be made")
        temporary = name
    }

    deinit { if let temporary { unlinkat(directory.number, temporary, 0) } }

    /// That it could be made, as far as that can be told without making it.
    /// - Throws: `.alreadyExists` when something has that name, `.cannotCreate`, `.permission`, `.readOnly`.
    static func requireAbsent(_ path: AbsolutePath) throws(KeyStoreError) {
        try directory(of: path).requireWritable(path.string)
    }

    /// The same of a path as a user gives it.
    package static func requireAbsent(at path: String) throws(KeyStoreError) { try requireAbsent(try AbsolutePath(path)) }

    /// O_TMPFILE, which is not imported.
    private static let temporaryFile: Int32 = 0o20000000 | O_DIRECTORY

    private static func temporaryName(for path: AbsolutePath) throws(KeyStoreError) -> String {
        ".\(path.name).new-\(try RandomName.make())"
    }

    private static func directory(of path: AbsolutePath) throws(KeyStoreError) -> Descriptor {
        let directory = try ParentDirectory.open(toMake: path)
        guard try directory.status(at: path.name, path.string) == nil else {
            throw KeyStoreError(.alreadyExists, path.string, "it is there already", hint: "name a file that is not there yet")
        }
        return directory
    }

    func write(_ bytes: [UInt8]) throws(KeyStoreError) {
        let written = bytes.withUnsafeBytes { bytes in
            Result { () throws(KeyStoreError) in try write(bytes) }
        }
        try written.get()
    }

    /// Writes the next bytes of it; ``commit(_:)`` writes the last.
    package func write(_ bytes: UnsafeRawBufferPointer) throws(KeyStoreError) {
        var offset = 0
        while offset < bytes.count {
            let written = Glibc.write(file.number, bytes.baseAddress.map { $0 + offset }, bytes.count - offset)
            if written < 0, errno == EINTR { continue }
            guard written > 0 else {
                throw KeyStoreError(errno: written < 0 ? errno : EIO, path.string, "it cannot be written")
            }
            offset += written
        }
    }

    /// The file from its beginning, to be read again; nothing can be written after it.
    func rewound() throws(KeyStoreError) -> Descriptor {
        guard lseek(file.number, 0, SEEK_SET) == 0 else { throw KeyStoreError(errno: errno, path.string, "it cannot be read") }
        return file
    }

    /// Writes the bytes, makes them durable, and gives the file its name.
    package func commit(_ bytes: [UInt8]) throws(KeyStoreError) {
        try bytes.withUnsafeBytes { bytes in Result { () throws(KeyStoreError) in try commit(bytes) } }.get()
    }

    func commit(_ bytes: UnsafeRawBufferPointer) throws(KeyStoreError) {
        try write(bytes)
        try complete()
        try place()
    }

    /// Gives it its mode, whatever the umask and the directory say, and makes its content durable.
    /// - Parameter group: whose it is to be; nil for the user's own.
    func complete(mode: UInt32 = 0o600, group: UInt32? = nil) throws(KeyStoreError) {
        try close(to: mode, group)
        try file.synchronize(path.string)
    }

    /// An empty file, whose loss is none.
    /// - Throws: `.alreadyExists`.
    func placeEmpty(mode: UInt32, group: UInt32?) throws(KeyStoreError) {
        try close(to: mode, group)
        guard link(as: path.name) == 0 else {
            throw KeyStoreError(errno: errno, path.string, "it cannot be given its name")
        }
    }

    /// Nobody has it but whom the mode lets in.
    private func close(to mode: UInt32, _ group: UInt32?) throws(KeyStoreError) {
        try AccessControlList.remove(file, path.string)
        if let group, fchown(file.number, uid_t.max, group) != 0 {
            throw KeyStoreError(errno: errno, path.string, "it cannot be given to group \(group)")
        }
        guard fchmod(file.number, mode) == 0 else {
            throw KeyStoreError(errno: errno, path.string, "it cannot be given its mode")
        }
    }

    /// Gives a complete file its name, which nothing may have; a link, as it never takes the place of a file that somebody
    /// made meanwhile.
    /// - Throws: `.alreadyExists`; it has no name then.
    func place() throws(KeyStoreError) {
        let parent = try readable()
        guard link(as: path.name) == 0 else {
            throw KeyStoreError(errno: errno, path.string, "it cannot be given its name")
        }
        do throws(KeyStoreError) { try parent.synchronize(path.parent.string) } catch {
            unlinkat(directory.number, path.name, 0)
            throw error
        }
    }

    /// Puts a complete file in the place of another. It has a name beside it for a moment.
    func replace() throws(KeyStoreError) {
        let parent = try readable()
        if temporary == nil {
            let name = try Self.temporaryName(for: path)
            guard link(as: name) == 0 else {
                throw KeyStoreError(errno: errno, path.string, "it cannot be given its name")
            }
            temporary = name
        }
        guard let name = temporary, renameat(directory.number, name, directory.number, path.name) == 0 else {
            throw KeyStoreError(errno: errno, path.string, "it cannot be given its name")
        }
        temporary = nil
        try parent.synchronize(path.parent.string)
    }

    private func link(as name: String) -> Int32 {
        guard let temporary else {
            return linkat(AT_FDCWD, "/proc/self/fd/\(file.number)", directory.number, name, AT_SYMLINK_FOLLOW)
        }
        return linkat(directory.number, temporary, directory.number, name, 0)
    }

    /// The directory, to be synced.
    private func readable() throws(KeyStoreError) -> Descriptor {
        try Descriptor(
            openat(directory.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), path.parent.string, "cannot be opened")
    }
}
