internal import Glibc

/// An anchor that is written and synced beside its place. What is not placed is removed again.
final class PreparedAnchor {
    private let file: AnchorFile
    private let mark: AnchorMark
    private let key: GuardedBytes
    private let isFirst: Bool
    private let directory: Descriptor
    private let temporary: String

    init(
        _ file: AnchorFile, _ mark: AnchorMark, _ key: GuardedBytes, _ isFirst: Bool, _ directory: Descriptor,
        _ temporary: String
    ) {
        self.file = file
        self.mark = mark
        self.key = key
        self.isFirst = isFirst
        self.directory = directory
        self.temporary = temporary
    }

    deinit { unlinkat(directory.number, temporary, 0) }

    /// Puts it in its place, unless a later writer was faster. A file that is no anchor of the store's is never replaced.
    func place() throws(KeyStoreError) {
        let path = file.path.string
        let readable = try Descriptor(
            openat(directory.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), path, "the anchor cannot be placed")
        guard flock(readable.number, LOCK_EX) == 0 else {
            throw KeyStoreError(errno: errno, path, "the anchor cannot be locked")
        }
        let status: Int32
        if isFirst {
            // A link, as it never takes the place of a file that somebody made meanwhile.
            status = linkat(directory.number, temporary, directory.number, file.path.name, 0)
        } else {
            guard try file.read(key, store: mark.store).number < mark.number else { return }
            status = renameat(directory.number, temporary, directory.number, file.path.name)
        }
        guard status == 0 else { throw KeyStoreError(errno: errno, path, "the anchor cannot be placed") }
        try readable.synchronize(path)
    }
}
