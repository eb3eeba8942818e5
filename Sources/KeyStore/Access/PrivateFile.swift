internal import Glibc

/// A file of secret bytes that is there whole or not at all, readable by its owner alone.
enum PrivateFile {
    /// Makes the file, mode 0600 whatever the umask; false when something has its name already, which is left as it is.
    static func make(_ path: AbsolutePath, _ bytes: UnsafeRawBufferPointer) throws(KeyStoreError) -> Bool {
        let directory = try ParentDirectory.open(path.parent)
        guard try directory.status(at: path.name, path.string) == nil else { return false }
        let file = try NewFile(path, in: directory)
        try file.write(bytes)
        try file.complete()
        do throws(KeyStoreError) { try file.place() } catch {
            guard error.kind == .alreadyExists else { throw error }
            return false
        }
        return true
    }

    /// Removes a file that was made a moment ago.
    static func remove(_ path: AbsolutePath) {
        guard let directory = try? ParentDirectory.open(path.parent) else { return }
        unlinkat(directory.number, path.name, 0)
    }
}
