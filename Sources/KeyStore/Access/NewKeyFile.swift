internal import Glibc

/// A key file that is to unlock something from now on: made if it is not there, and taken away again if it was made here and
/// what it was made for comes to nothing.
///
/// Whoever is about to refer to such a file has it locked until it is decided, so that none is taken away under another.
final class NewKeyFile {
    let file: KeyFile
    /// Whether a file that is not there is made by ``place()`` alone: when all but that is done, so that nobody else takes it up
    /// meanwhile, or never, in a rehearsal.
    private let isPlacedLater: Bool
    /// The file that has no name yet.
    private var unplaced: NewFile?
    /// Which file it is, locked so that nobody takes it away.
    private var held: (file: Descriptor, identity: FileStatus.Identity)?
    private var read: GuardedBytes?
    private var isMade = false

    /// Whether the store's unix group may read a file that is made here, as of a store that reads it at every use.
    private let isShared: Bool

    /// - Parameter group: the store's unix group, if it has one.
    init(_ path: String, group: UInt32?, isShared: Bool = false, isPlacedLater: Bool = false) throws(KeyStoreError) {
        file = try KeyFile(path, group: group)
        self.isShared = isShared
        self.isPlacedLater = isPlacedLater
    }

    /// Its key. The file is made if it is not there.
    /// - Throws: as reading a key file does; `.busy` when the process that made the file is taking it away.
    func key() throws(KeyStoreError) -> GuardedBytes {
        if let read { return read }
        let key: GuardedBytes
        let isDrawn = isPlacedLater ? try !isThere() : false
        if isDrawn {
            unplaced = try NewFile(file.path)
            key = try KeyFile.draw(file.path)
        } else {
            if try file.makeIfAbsent(isShared: isShared) { isMade = true }
            try hold()
            // Who may not read it, or finds no file, is told why.
            key = try file.read()
        }
        read = key
        return key
    }

    /// Makes a file that was to be made later.
    /// - Throws: `.busy` when another process made it meanwhile; nothing refers to that one yet.
    func place() throws(KeyStoreError) {
        guard let unplaced, let read else { return }
        do throws(KeyStoreError) {
            try file.place(unplaced, read, isShared: isShared)
        } catch {
            guard error.kind == .alreadyExists else { throw error }
            throw KeyStoreError(.busy, file.path.string, "another process made it meanwhile")
        }
        self.unplaced = nil
        isMade = true
        try hold()
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

    /// Leaves the file where it is, as what it was made for is in its place whatever failed after.
    func keep() { isMade = false }

    private func isThere() throws(KeyStoreError) -> Bool {
        try ParentDirectory.open(toMake: file.path).status(at: file.path.name, file.path.string) != nil
    }

    private func hold() throws(KeyStoreError) {
        let path = file.path
        let directory = try ParentDirectory.open(path.parent)
        let descriptor = openat(directory.number, path.name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        let opened = try Descriptor(descriptor, path.string, "the key file cannot be opened")
        let identity = try opened.status(path.string).identity
        let isTaken = flock(opened.number, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
        guard !isTaken, try directory.status(at: path.name, path.string)?.identity == identity else {
            throw KeyStoreError(.busy, path.string, "the process that made it is taking it away")
        }
        held = (opened, identity)
    }
}
