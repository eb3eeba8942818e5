internal import Glibc

/// Where the start key of a new store's audit log goes: a file that is not there yet, made with the store or not at all.
final class AuditKeyFile {
    private let path: AbsolutePath
    private var isMade = false

    /// - Throws: `.alreadyExists`, before anything is made.
    init(_ path: String) throws(KeyStoreError) {
        self.path = try AbsolutePath(path)
        guard try ParentDirectory.open(toMake: self.path).status(at: self.path.name, self.path.string) == nil else {
            throw taken
        }
    }

    /// Writes the key, before the store gets its place: a store whose start key was lost would be worse than a key
    /// without a store.
    func make(_ key: AuditKey) throws(KeyStoreError) {
        var bytes = key.json() + [0x0A]
        defer { SodiumLibrary.wipe(&bytes) }
        let made = bytes.withUnsafeBytes { bytes in
            Result { () throws(KeyStoreError) in try PrivateFile.make(path, bytes) }
        }
        isMade = try made.get()
        guard isMade else { throw taken }
    }

    /// Takes the file away again when there will be no store.
    func withdraw() { if isMade { PrivateFile.remove(path) } }

    /// Leaves the file where it is, as the store is in its place whatever failed after.
    func keep() { isMade = false }

    private var taken: KeyStoreError {
        KeyStoreError(.alreadyExists, path.string, "it is there already", hint: "name a file that is not there yet")
    }
}
