internal import Glibc

/// A file of 32 random bytes that unlocks a store, readable by its owner alone, or by the store's group too.
struct KeyFile: Equatable, Sendable {
    static let byteCount = 32

    let path: AbsolutePath
    /// The unix group of the store, whose members may read the file when it is 0640.
    let group: UInt32?

    init(_ path: String, group: UInt32?) throws(KeyStoreError) {
        self.path = try AbsolutePath(path)
        self.group = group
    }

    /// - Throws: `.unavailable` when it is not there, `.permission`, `.badInput` when it is not of 32 bytes.
    func read() throws(KeyStoreError) -> GuardedBytes {
        let directory = try ParentDirectory.open(path.parent)
        if let status = try directory.status(at: path.name, path.string), !status.isRegular {
            throw KeyStoreError(
                .permission, path.string, status.isSymbolicLink ? "it is a symbolic link" : "it is not a regular file")
        }
        let file = try Descriptor(
            openat(directory.number, path.name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), path.string,
            "the key file cannot be opened")
        let status = try file.status(path.string)
        let isOfGroup = status.group == group
        guard isOfGroup || status.owner == geteuid() || status.owner == 0 else {
            throw KeyStoreError(.permission, path.string, "it is of user \(status.owner), who can read and replace it")
        }
        let groupBits: UInt32 = isOfGroup ? 0o037 : 0o077
        guard status.mode & groupBits == 0 else {
            throw KeyStoreError(
                .permission, path.string, "mode \(status.modeText) lets others read it",
                hint: "chmod 600 \(path.string)")
        }
        if status.mode & 0o070 != 0 { try AccessControlList.requireNone(path.string) }
        guard status.size == Self.byteCount else {
            throw KeyStoreError(.badInput, path.string, "\(status.size) bytes where 32 are needed")
        }
        var failure: Int32 = 0
        do {
            return try GuardedBytes(
                count: Self.byteCount,
                filledBy: { (buffer) throws(SodiumError) in
                    let count = Glibc.read(file.number, buffer.baseAddress, buffer.count)
                    guard count == buffer.count else {
                        failure = count < 0 ? errno : EIO
                        throw .failed(operation: "read")
                    }
                })
        } catch {
            guard failure == 0 else { throw KeyStoreError(errno: failure, path.string, "the key file cannot be read") }
            throw KeyStoreError(error, path.string)
        }
    }

    /// Makes the file if it is not there; false when it is.
    func makeIfAbsent() throws(KeyStoreError) -> Bool {
        let key: GuardedBytes
        do { key = try GuardedBytes(randomCount: Self.byteCount) } catch { throw KeyStoreError(error, path.string) }
        do throws(KeyStoreError) {
            try key.withBytes { (bytes) throws(KeyStoreError) in try NewFile(path).commit(bytes) }
            return true
        } catch {
            guard error.kind == .alreadyExists else { throw error }
            return false
        }
    }
}
