internal import Glibc

/// The directory of an access group in a store's directory, both open and found as they must be.
final class GroupDirectory: Sendable {
    static let databaseName = "store.sqlite"
    static let generationName = "generation"

    let store: AbsolutePath
    let path: AbsolutePath
    let rules: AccessRules
    let descriptor: Descriptor

    /// - Throws: `.unavailable` when there is no store or no such group, `.permission` naming path and mode.
    init(store: AbsolutePath, accessGroup: String) throws(KeyStoreError) {
        self.store = store
        path = store.appending(accessGroup)
        let parent = try ParentDirectory.open(store.parent, owner: Self.owner(of: store))
        let root = try Self.open(store, in: parent, missing: "there is no store")
        let rootRules = try AccessRules(of: try root.status(store.string), store.string)
        descriptor = try Self.open(path, in: root, missing: "there is no such access group in the store")
        rules = try AccessRules(of: try descriptor.status(path.string), path.string)
        // Where a group has no rights, a list gives none either.
        if rootRules.group != nil {
            for path in [store, path] { try AccessControlList.requireNone(path.string, isDirectory: true) }
        }
        guard rules.owner == rootRules.owner, rules.group == nil || rootRules.group != nil else {
            throw KeyStoreError(.permission, path.string, "its owner or group is not that of \(store.string)")
        }
    }

    var databasePath: String { path.appending(Self.databaseName).string }

    /// Looks at the database and what SQLite keeps beside it, which for a group is there then; returns which file the database is.
    func checkFiles() throws(KeyStoreError) -> FileStatus.Identity {
        guard let database = try descriptor.status(at: Self.databaseName, databasePath) else {
            throw KeyStoreError(.unavailable, databasePath, "there is no store")
        }
        try rules.check(file: database, databasePath, isFounding: true)
        if rules.group != nil { makeLog() }
        for suffix in ["-wal", "-shm", "-journal"] { try checkLog(Self.databaseName + suffix, databasePath + suffix) }
        return database.identity
    }

    /// Makes the log and its index if they are not there. SQLite would make them with less than their mode, by the umask, and
    /// widen them then; the members who come in between would find them closed.
    private func makeLog() {
        for suffix in ["-wal", "-shm"] {
            let name = Self.databaseName + suffix
            // Where they cannot be made here, SQLite says why.
            guard (try? descriptor.status(at: name, databasePath + suffix)) == .some(nil) else { continue }
            try? NewFile(path.appending(name), in: descriptor).placeEmpty(mode: rules.fileMode, group: rules.group)
        }
    }

    /// One that is narrower than its mode is no danger, and is what a process left that was killed when SQLite had made it: its
    /// owner mends it.
    private func checkLog(_ name: String, _ path: String) throws(KeyStoreError) {
        var narrow: FileStatus?
        // The one who makes it may be about to widen it: a second.
        for _ in 0..<100 {
            guard let status = try descriptor.status(at: name, path) else { return }
            guard rules.isNarrower(status) else { return try rules.check(file: status, path, isFounding: false) }
            narrow = status
            if status.owner == geteuid(), fchmodat(descriptor.number, name, rules.fileMode, AT_SYMLINK_NOFOLLOW) == 0 {
                continue
            }
            guard faccessat(descriptor.number, name, R_OK | W_OK, AT_EACCESS) != 0 else { return }
            usleep(10_000)
        }
        guard let narrow else { return }
        throw KeyStoreError(
            .permission, path, "mode \(narrow.modeText) keeps others of the store's group out",
            hint: "user \(narrow.owner) puts it right by opening the store, or as root: chmod 660 \(HintWord.of(path))")
    }

    /// That the path still leads to the file which was looked at before SQLite opened it.
    func checkUnchanged(_ identity: FileStatus.Identity) throws(KeyStoreError) {
        var status = stat()
        guard lstat(databasePath, &status) == 0, FileStatus(status).identity == identity,
            try descriptor.status(at: Self.databaseName, databasePath)?.identity == identity
        else { throw KeyStoreError(.permission, databasePath, "it was replaced while it was opened") }
    }

    /// That the path leads to that file still: the store was neither removed nor replaced under a running process.
    func checkPlace(_ identity: FileStatus.Identity) throws(KeyStoreError) {
        var status = stat()
        guard lstat(databasePath, &status) == 0 else {
            throw KeyStoreError(errno: errno, databasePath, "the store that was opened is not there any more")
        }
        guard FileStatus(status).identity == identity else {
            throw KeyStoreError(
                .permission, databasePath, "another file is in the place of the one that was opened", hint: "open it again")
        }
    }

    private static func open(
        _ path: AbsolutePath, in parent: Descriptor, missing: String
    ) throws(KeyStoreError) -> Descriptor {
        guard let status = try parent.status(at: path.name, path.string) else {
            throw KeyStoreError(.unavailable, path.string, missing)
        }
        guard !status.isSymbolicLink else { throw KeyStoreError(.permission, path.string, "it is a symbolic link") }
        return try Descriptor(
            openat(parent.number, path.name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), path.string,
            "cannot be opened")
    }

    private static func owner(of path: AbsolutePath) -> UInt32? {
        var status = stat()
        return lstat(path.string, &status) == 0 ? status.st_uid : nil
    }
}
