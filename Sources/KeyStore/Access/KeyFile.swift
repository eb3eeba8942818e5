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
        let number = openat(directory.number, path.name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        if number < 0, errno == EACCES, let sharing {
            let cause = KeyStoreError(errno: EACCES, path.string, "the key file cannot be opened")
            throw KeyStoreError(cause.kind, cause.subject, cause.reason, hint: "its owner shares it: \(sharing)")
        }
        let file = try Descriptor(number, path.string, "the key file cannot be opened")
        let status = try file.status(path.string)
        // First: of some other file it is not to be said how its mode should be.
        guard status.size == Self.byteCount else {
            throw KeyStoreError(.badInput, path.string, "\(status.size) bytes where 32 are needed")
        }
        let isOfGroup = status.group == group
        guard isOfGroup || status.owner == geteuid() || status.owner == 0 else {
            throw KeyStoreError(
                .permission, path.string, "it is of user \(status.owner), who can read and replace it",
                hint: "as root: chown \(geteuid()) \(HintWord.of(path.string))")
        }
        let groupBits: UInt32 = isOfGroup ? 0o037 : 0o077
        guard status.mode & groupBits == 0 else {
            throw KeyStoreError(
                .permission, path.string, "mode \(status.modeText) lets others read it",
                hint: "chmod \(isOfGroup ? 640 : 600) \(HintWord.of(path.string))")
        }
        if status.mode & 0o070 != 0 { try AccessControlList.requireNone(path.string) }
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

    /// What lets the store's unix group read it; nil where there is none.
    var sharing: String? {
        group.map { "chgrp \($0) \(HintWord.of(path.string)) && chmod 640 \(HintWord.of(path.string))" }
    }

    /// Whether the group of the store cannot read it, of whom it is therefore of no use.
    func isHiddenFromGroup() throws(KeyStoreError) -> Bool {
        guard let group else { return false }
        let directory = try ParentDirectory.open(path.parent)
        guard let status = try directory.status(at: path.name, path.string) else { return false }
        return status.group != group || status.mode & 0o040 == 0
    }

    /// What is to be in a new one.
    static func draw(_ path: AbsolutePath) throws(KeyStoreError) -> GuardedBytes {
        do { return try GuardedBytes(randomCount: byteCount) } catch { throw KeyStoreError(error, path.string) }
    }

    /// Writes a new one and gives it its name.
    /// - Parameter isShared: whether it is the group's to read.
    func place(_ file: NewFile, _ key: GuardedBytes, isShared: Bool) throws(KeyStoreError) {
        try key.withBytes { (bytes) throws(KeyStoreError) in try file.write(bytes) }
        if isShared, let group { try file.complete(mode: 0o640, group: group) } else { try file.complete() }
        try file.place()
    }

    /// Makes the file if it is not there; false when it is.
    func makeIfAbsent(isShared: Bool = false) throws(KeyStoreError) -> Bool {
        let key = try Self.draw(path)
        do throws(KeyStoreError) {
            try place(try NewFile(path), key, isShared: isShared)
            return true
        } catch {
            guard error.kind == .alreadyExists else { throw error }
            return false
        }
    }
}
