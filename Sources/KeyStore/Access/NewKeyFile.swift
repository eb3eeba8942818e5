internal import Glibc

/// A key file that is to unlock something from now on: made if it is not there, and taken away again if it was made here and
/// what it was made for comes to nothing.
///
/// Whoever is about to refer to such a file has it locked until it is decided, so that none is taken away under another.
final class NewKeyFile {
    let file: KeyFile
    /// Which file it is, locked so that nobody takes it away.
    private var held: (file: Descriptor, identity: FileStatus.Identity)?
    private var read: GuardedBytes?
    private var isMade = false

    private let isShared: Bool

    /// - Parameters:
    ///   - group: the store's unix group, if it has one.
    ///   - isShared: whether that may read a file that is made here, as of a store that reads it at every use.
    init(_ path: String, group: UInt32?, isShared: Bool = false) throws(KeyStoreError) {
        file = try KeyFile(path, group: group)
        self.isShared = isShared
    }

    /// Its key. The file is made if it is not there.
    /// - Throws: as reading a key file does; `.busy` when the process that made the file is taking it away.
    func key() throws(KeyStoreError) -> GuardedBytes {
        if let read { return read }
        if try file.makeIfAbsent(isShared: isShared) { isMade = true }
        let path = file.path
        let directory = try ParentDirectory.open(path.parent)
        let descriptor = openat(directory.number, path.name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        if descriptor >= 0 {
            let opened = try Descriptor(descriptor, path.string, "the key file cannot be opened")
            let identity = try opened.status(path.string).identity
            let isTaken = flock(opened.number, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
            guard !isTaken, try directory.status(at: path.name, path.string)?.identity == identity else {
                throw KeyStoreError(.busy, path.string, "the process that made it is taking it away")
            }
            held = (opened, identity)
        }
        // Who may not read it, or finds no file, is told why.
        let key = try file.read()
        read = key
        return key
    }

    /// Takes the file away, if it was made here and nobody else has to do with it.
    /// - Parameter isReferredTo: whether something is unlocked by the key after all; asked when nobody can begin to refer to it.
    func withdraw(unless isReferredTo: (GuardedBytes) -> Bool) {
        guard isMade, let held, let read, flock(held.file.number, LOCK_EX | LOCK_NB) == 0, !isReferredTo(read),
            let directory = try? ParentDirectory.open(file.path.parent),
            let status = try? directory.status(at: file.path.name, file.path.string), status.identity == held.identity
        else { return }
        unlinkat(directory.number, file.path.name, 0)
        isMade = false
    }
}
