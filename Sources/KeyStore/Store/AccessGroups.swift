internal import Glibc

/// The access groups of a store: the directories in it that hold a database.
enum AccessGroups {
    /// The group that is asked for; nil for the standard one, or the only one there is.
    /// - Throws: as ``standard(in:)``.
    static func named(_ accessGroup: String?, in store: AbsolutePath) throws(KeyStoreError) -> String {
        if let accessGroup { return accessGroup }
        return try standard(in: store)
    }

    /// The standard group, or the only one there is.
    /// - Throws: `.unavailable` without any, `.badInput` when it cannot be told which is meant.
    private static func standard(in store: AbsolutePath) throws(KeyStoreError) -> String {
        guard let stream = opendir(store.string) else {
            let cause = KeyStoreError(errno: errno, store.string, "there is no store that can be opened")
            throw cause.kind == .badInput ? KeyStoreError(.unavailable, cause.subject, cause.reason) : cause
        }
        defer { closedir(stream) }
        let names = names(in: stream)
        if names.contains(StoreConfiguration.standardAccessGroup) { return StoreConfiguration.standardAccessGroup }
        guard let name = names.first else { throw KeyStoreError(.unavailable, store.string, "there is no store") }
        guard names.count == 1 else {
            throw KeyStoreError(.badInput, store.string, "it has \(names.count) access groups, none the standard one")
        }
        return name
    }

    /// - Throws: `.alreadyExists` when the directory holds a store of whatever access group, or is a group of one.
    static func requireNone(in directory: Descriptor, _ store: AbsolutePath) throws(KeyStoreError) {
        let database = GroupDirectory.databaseName
        guard try directory.status(at: database, store.appending(database).string) == nil else {
            throw KeyStoreError(.alreadyExists, store.string, "it is the access group of a store")
        }
        let number = openat(directory.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard number >= 0, let stream = fdopendir(number) else {
            throw KeyStoreError(errno: errno, store.string, "cannot be looked through")
        }
        defer { closedir(stream) }
        let names = names(in: stream)
        guard let name = names.first else { return }
        throw KeyStoreError(
            .alreadyExists, store.string,
            names.count == 1
                ? "there is a store already, of access group \(name)"
                : "there is a store already, of \(names.count) access groups")
    }

    /// What has the name of a group and a database in it; a database that may not be looked at counts in the standard
    /// group alone, so that opening says why.
    private static func names(in stream: OpaquePointer) -> [String] {
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            do { try StoreConfiguration.check(accessGroup: name) } catch { continue }
            var status = stat()
            let isThere =
                fstatat(dirfd(stream), "\(name)/\(GroupDirectory.databaseName)", &status, AT_SYMLINK_NOFOLLOW) == 0
            let isHidden = !isThere && errno == EACCES && name == StoreConfiguration.standardAccessGroup
            if isThere || isHidden { names.append(name) }
        }
        return names.sorted()
    }
}
