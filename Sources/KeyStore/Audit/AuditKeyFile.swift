internal import Glibc

/// Where the start key of a new store's audit log goes: a file that is not there yet, made with the store or not at all.
final class AuditKeyFile {
    private let path: AbsolutePath
    private var isMade = false

    /// What was killed between this file and the store leaves the file, and nobody but the operator knows whether some store
    /// is of it.
    private static let hint =
        "name a file that is not there yet, or remove this one if no store is of it, as after an init that was killed: "
        + "audit verify --key FILE tells of each"

    /// - Throws: `.alreadyExists`, before anything is made.
    init(_ path: String) throws(KeyStoreError) {
        self.path = try AbsolutePath(path)
        do { try NewFile.requireAbsent(self.path) } catch {
            guard error.kind == .alreadyExists else { throw error }
            throw KeyStoreError(error.kind, error.subject, error.reason, hint: Self.hint)
        }
    }

    /// Writes the key, before the store gets its place: a store whose start key was lost would be worse than a key
    /// without a store.
    func make(_ key: AuditKey) throws(KeyStoreError) {
        var bytes = key.json() + [0x0A]
        defer { SodiumLibrary.wipe(&bytes) }
        try NewFile(path).commit(bytes)
        isMade = true
    }

    /// Takes the file away again when there will be no store.
    func withdraw() {
        guard isMade, let directory = try? ParentDirectory.open(path.parent) else { return }
        unlinkat(directory.number, path.name, 0)
    }

    /// Leaves the file where it is, as the store is in its place whatever failed after.
    func keep() { isMade = false }
}
