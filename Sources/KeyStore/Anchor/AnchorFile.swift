internal import Glibc

/// A small file on another volume than the store's, to tell that the whole store was put back.
///
/// It has the mode and the group of the store's own files, is never a symbolic link, and is replaced whole.
struct AnchorFile {
    let path: AbsolutePath
    let rules: AccessRules

    init(_ path: String, _ rules: AccessRules) throws(KeyStoreError) {
        self.path = try AbsolutePath(path)
        self.rules = rules
    }

    /// - Parameter store: whose anchor may have been begun there and come to nothing; nil for a store that is to be made.
    /// - Throws: `.alreadyExists` when anything else is at its place: a file that is there is never taken for an anchor's.
    func requireAbsent(butBegunFor store: String? = nil) throws(KeyStoreError) {
        let directory = try ParentDirectory.open(toMake: path, owner: rules.owner, group: rules.group)
        if try directory.status(at: path.name, path.string) != nil {
            let found = try? content(in: directory).mark
            guard let found, found.isBegun else {
                throw KeyStoreError(
                    .alreadyExists, path.string, "something is there already",
                    hint: "name a new file, or remove this one if no store needs it")
            }
            guard found.store == store else {
                throw KeyStoreError(
                    .alreadyExists, path.string, "an anchor was begun there for store \(found.store)",
                    hint: "if that one did not come to be, as after a kill: rm \(HintWord.of(path.string)), and repeat")
            }
        }
        try directory.requireWritable(path.string)
    }

    /// Whether the store's anchor was begun there; it may have come to nothing.
    func isBegun(for store: String) -> Bool {
        guard let found = try? content(in: openDirectory()).mark else { return false }
        return found.isBegun && found.store == store
    }

    /// - Throws: `.permission` for a directory where only some of those who use the store could write it.
    func requireForAll() throws(KeyStoreError) {
        guard let group = rules.group else { return }
        let status = try openDirectory().status(path.parent.string)
        guard status.group == group, status.mode & 0o1030 == 0o030 else {
            throw KeyStoreError(
                .permission, path.parent.string, "members of group \(group) could not write the anchor in it",
                hint: "name a file in a directory of that group, mode 2770")
        }
    }

    /// - Throws: `.badInput` for a place in the store itself, with which it would be put back.
    func requireOutside(_ store: AbsolutePath) throws(KeyStoreError) {
        guard path.components.starts(with: store.components) else { return }
        throw KeyStoreError(
            .badInput, path.string, "it is in the store itself, and would be put back with it",
            hint: "name a file on another volume")
    }

    /// - Throws: `.unavailable` when it is not there, or was begun and came to nothing; `.permission`, `.badInput` for a file that
    ///   is no anchor of the store's, `.damaged` for one that is not as the store wrote it.
    func read(_ key: GuardedBytes?, store: String) throws(KeyStoreError) -> AnchorMark {
        let (mark, mac) = try content(in: try openDirectory())
        guard mark.store == store else { throw notAnAnchor }
        if let key, try mark.isAuthentic(mac, key) { return mark }
        guard !mark.isBegun else {
            // Its key was never committed.
            throw KeyStoreError(
                .unavailable, path.string, "the anchor was begun, and came to nothing",
                hint: "to have it made: keyctl config set anchor \(HintWord.of(path.string))")
        }
        guard key != nil else { return mark }
        throw KeyStoreError(
            .damaged, path.string, "the anchor was edited, or the store is older than the anchor",
            hint: AnchorStanding.hint)
    }

    private var notAnAnchor: KeyStoreError { KeyStoreError(.badInput, path.string, "it is not an anchor of this store") }

    private func content(in directory: Descriptor) throws(KeyStoreError) -> (mark: AnchorMark, mac: [UInt8]) {
        guard let found = try directory.status(at: path.name, path.string) else {
            throw KeyStoreError(.unavailable, path.string, "the anchor is not there")
        }
        try check(found)
        let file = try Descriptor(
            openat(directory.number, path.name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), path.string,
            "the anchor cannot be opened")
        try check(try file.status(path.string))
        var content = [UInt8](repeating: 0, count: AnchorMark.longestByteCount)
        let count = Glibc.read(file.number, &content, content.count)
        guard count >= 0 else { throw KeyStoreError(errno: errno, path.string, "the anchor cannot be read") }
        guard let parsed = AnchorMark.parse(Array(content.prefix(count))) else { throw notAnAnchor }
        return parsed
    }

    /// By the store's rules; how its mode should be is not said, as it may be a file of something else.
    private func check(_ file: FileStatus) throws(KeyStoreError) {
        do { try rules.check(file: file, path.string, isFounding: false) } catch {
            throw KeyStoreError(error.kind, error.subject, error.reason)
        }
    }

    /// Writes the mark beside its place, so that nothing but its last step can fail.
    /// - Parameter isFirst: whether there is no file yet that it takes the place of.
    func prepare(
        _ mark: AnchorMark, _ key: GuardedBytes, isFirst: Bool = false
    ) throws(KeyStoreError) -> PreparedAnchor {
        let directory =
            try isFirst
            ? ParentDirectory.open(toMake: path, owner: rules.owner, group: rules.group) : openDirectory()
        let file = try NewFile(path, in: directory)
        try file.write(try mark.content(key))
        try file.complete(mode: rules.fileMode, group: rules.group)
        return PreparedAnchor(self, mark, key, directory, file)
    }

    /// Of a group's store the directory may be the group's, as every member writes the anchor.
    private func openDirectory() throws(KeyStoreError) -> Descriptor {
        try ParentDirectory.open(path.parent, owner: rules.owner, group: rules.group)
    }
}
