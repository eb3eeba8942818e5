internal import Glibc

/// An anchor that is written and synced beside its place. What is not placed is removed again.
final class PreparedAnchor {
    private let file: AnchorFile
    private let mark: AnchorMark
    private let key: GuardedBytes
    private let directory: Descriptor
    private let content: NewFile

    init(_ file: AnchorFile, _ mark: AnchorMark, _ key: GuardedBytes, _ directory: Descriptor, _ content: NewFile) {
        self.file = file
        self.mark = mark
        self.key = key
        self.directory = directory
        self.content = content
    }

    /// Puts it in its place, unless a later writer was faster. A file that is no anchor of the store's is never replaced.
    func place() throws(KeyStoreError) {
        try whileLocked { () throws(KeyStoreError) in
            guard try file.read(key, store: mark.store).number < mark.number else { return }
            try content.replace()
        }
    }

    /// Puts the beginning of an anchor where nothing is, or where the same store's was begun and came to nothing.
    func begin() throws(KeyStoreError) {
        try whileLocked { () throws(KeyStoreError) in
            if file.isBegun(for: mark.store) { try content.replace() } else { try content.place() }
        }
    }

    /// Takes it out of its place again, if nothing else is there. What cannot be taken away is known for what it is.
    func withdraw() {
        try? whileLocked { () throws(KeyStoreError) in
            guard try file.read(key, store: mark.store) == mark else { return }
            unlinkat(directory.number, file.path.name, 0)
        }
    }

    /// While nobody else places an anchor in this directory.
    private func whileLocked(_ body: () throws(KeyStoreError) -> Void) throws(KeyStoreError) {
        let path = file.path.string
        let readable = try Descriptor(
            openat(directory.number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), path, "the anchor cannot be placed")
        defer { withExtendedLifetime(readable) {} }
        guard flock(readable.number, LOCK_EX) == 0 else {
            throw KeyStoreError(errno: errno, path, "the anchor cannot be locked")
        }
        try body()
    }
}
