internal import Glibc

/// An anchor that is written and synced beside its place. What is not placed is removed again.
final class PreparedAnchor {
    private let file: AnchorFile
    private let mark: AnchorMark
    private let key: GuardedBytes
    private let isFirst: Bool
    private let directory: Descriptor
    private let content: NewFile

    init(
        _ file: AnchorFile, _ mark: AnchorMark, _ key: GuardedBytes, _ isFirst: Bool, _ directory: Descriptor,
        _ content: NewFile
    ) {
        self.file = file
        self.mark = mark
        self.key = key
        self.isFirst = isFirst
        self.directory = directory
        self.content = content
    }

    /// Puts it in its place, unless a later writer was faster. A file that is no anchor of the store's is never replaced.
    func place() throws(KeyStoreError) {
        let path = file.path.string
        let readable = try Descriptor(
            openat(directory.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), path, "the anchor cannot be placed")
        guard flock(readable.number, LOCK_EX) == 0 else {
            throw KeyStoreError(errno: errno, path, "the anchor cannot be locked")
        }
        guard !isFirst else { return try content.place() }
        guard try file.read(key, store: mark.store).number < mark.number else { return }
        try content.replace()
    }
}
