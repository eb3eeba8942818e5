internal import Glibc

/// A directory in the making: filled under a name of its own beside its place, and renamed when it is complete.
struct FoundingPlace {
    private let parent: Descriptor
    private let parentPath: AbsolutePath
    private let name: String
    private let rules: AccessRules

    init(_ parent: Descriptor, _ parentPath: AbsolutePath, _ name: String, _ rules: AccessRules) {
        self.parent = parent
        self.parentPath = parentPath
        self.name = name
        self.rules = rules
    }

    /// That it could be filled, as far as that can be told without making anything.
    /// - Throws: `.alreadyExists` when something is in its place, `.cannotCreate`, `.readOnly`.
    func check() throws(KeyStoreError) {
        let path = parentPath.appending(name)
        guard try parent.status(at: name, path.string) == nil else {
            throw KeyStoreError(.alreadyExists, path.string, "there is a store already")
        }
        guard faccessat(parent.number, ".", W_OK | X_OK, AT_EACCESS) == 0 else {
            throw Self.cannotCreate(errno, parentPath)
        }
    }

    /// - Parameter kept: called when it fails with the directory in its place, from which it cannot be taken any more.
    /// - Throws: as ``check()``; what was made is removed again.
    func fill<Result>(
        _ body: (Descriptor, AbsolutePath) throws(KeyStoreError) -> Result,
        kept: (Result) -> Void
    ) throws(KeyStoreError) -> Result {
        try check()
        let path = parentPath.appending(name)
        let temporary = ".\(name).new-\(try RandomName.make())"
        let temporaryPath = parentPath.appending(temporary)
        do throws(KeyStoreError) {
            let directory = try Self.makeDirectory(temporary, in: parent, temporaryPath, rules)
            let result = try body(directory, temporaryPath)
            try directory.synchronize(path.string)
            let readable = try Descriptor(
                openat(parent.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), parentPath.string, "cannot be opened")
            guard renameat(parent.number, temporary, parent.number, name) == 0 else {
                throw KeyStoreError(errno: errno, path.string, "cannot be put in its place")
            }
            do throws(KeyStoreError) { try readable.synchronize(parentPath.string) } catch {
                if renameat(parent.number, name, parent.number, temporary) != 0 { kept(result) }
                throw error
            }
            return result
        } catch {
            Self.remove(temporary, in: parent)
            throw error
        }
    }

    /// A directory with its final mode, whatever the umask.
    static func makeDirectory(
        _ name: String, in parent: Descriptor, _ path: AbsolutePath, _ rules: AccessRules
    ) throws(KeyStoreError) -> Descriptor {
        guard mkdirat(parent.number, name, 0o700) == 0 else { throw Self.cannotCreate(errno, path.parent) }
        // A umask may have taken away the owner's own rights, without which it cannot be opened.
        guard fchmodat(parent.number, name, 0o700, AT_SYMLINK_NOFOLLOW) == 0 else {
            throw KeyStoreError(errno: errno, path.string, "cannot be given its mode")
        }
        let directory = try Descriptor(
            openat(parent.number, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), path.string,
            "cannot be opened")
        try AccessControlList.remove(directory, path.string)
        if let group = rules.group {
            guard fchown(directory.number, uid_t.max, group) == 0 else {
                throw KeyStoreError(errno: errno, path.string, "cannot be given to group \(group)")
            }
        }
        guard fchmod(directory.number, rules.directoryMode) == 0 else {
            throw KeyStoreError(errno: errno, path.string, "cannot be given its mode")
        }
        let status = try directory.status(path.string)
        guard status.mode == rules.directoryMode, rules.group == nil || status.group == rules.group else {
            throw KeyStoreError(.permission, path.string, "it cannot be given to the group")
        }
        return directory
    }

    private static func cannotCreate(_ code: Int32, _ path: AbsolutePath) -> KeyStoreError {
        let cause = KeyStoreError(errno: code, path.string, "no directory can be made in it")
        let kinds: [KeyStoreError.Kind] = [.full, .readOnly, .inputOutput]
        return KeyStoreError(kinds.contains(cause.kind) ? cause.kind : .cannotCreate, cause.subject, cause.reason)
    }

    /// Removes a directory of at most two levels; what cannot be removed has a name that blocks nothing.
    private static func remove(_ name: String, in parent: Descriptor) {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        let number = openat(parent.number, name, flags)
        guard number >= 0, let stream = fdopendir(number) else { return }
        defer {
            closedir(stream)
            unlinkat(parent.number, name, Int32(AT_REMOVEDIR))
        }
        guard let directory = try? Descriptor(dup(number), name, "") else { return }
        while let entry = readdir(stream) {
            let child = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard child != ".", child != ".." else { continue }
            if unlinkat(directory.number, child, 0) != 0 { remove(child, in: directory) }
        }
    }
}
