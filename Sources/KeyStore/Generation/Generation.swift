internal import Glibc
internal import Synchronization

/// The number of the last commit that changed keys or the lock state, where every process can see it: two words in a
/// mapped file beside the database (docs/decisions/0005-generation-file.md). A third has the marks of a lock.
///
/// A writer sets `started` before its commit and `completed` after it; what was cached while both were one number is
/// good as long as both stay that number.
public final class Generation: Sendable {
    /// Where the two words are now. A mapping that was replaced stays mapped: somebody may be reading it.
    private let address: Atomic<UInt>
    private let isFile: Atomic<Bool>
    private let identity: Mutex<FileStatus.Identity?>
    /// Nil for one that no other process sees.
    private let directory: GroupDirectory?

    /// Maps the file if it is there and as it must be; else everything reads as unsettled until it is made anew.
    init(in directory: GroupDirectory) throws(KeyStoreError) {
        self.directory = directory
        address = Atomic(try MappedPage.map(nil, directory.path.string))
        isFile = Atomic(false)
        identity = Mutex(nil)
        try revalidate()
    }

    /// One for a rehearsal: it begins where the other is and nobody else sees it.
    init(rehearsing other: Generation, _ subject: String) throws(KeyStoreError) {
        directory = nil
        address = Atomic(try MappedPage.map(nil, subject))
        isFile = Atomic(true)
        identity = Mutex(nil)
        let stamp = other.read()
        begin(stamp.started)
        complete(stamp.completed)
    }

    /// What the words say now: two loads, no system call.
    public func read() -> Stamp {
        let words = words
        let completed = words[1].load(ordering: .acquiring)
        return Stamp(started: words[0].load(ordering: .acquiring), completed: completed)
    }

    /// The marks that a lock and an unlock left.
    var marks: LockMarks { LockMarks(rawValue: words[2].load(ordering: .acquiring)) }

    /// For every process, from now on.
    func mark(_ marks: LockMarks) { words[2].bitwiseOr(marks.rawValue, ordering: .sequentiallyConsistent) }

    /// Takes marks away.
    func unmark(_ marks: LockMarks) { words[2].bitwiseAnd(~marks.rawValue, ordering: .sequentiallyConsistent) }

    /// Raises `started`, before the commit.
    func begin(_ number: UInt64) { words[0].max(number, ordering: .sequentiallyConsistent) }

    /// Raises `completed`, after the commit.
    func complete(_ number: UInt64) { words[1].max(number, ordering: .sequentiallyConsistent) }

    /// Maps the file that is there now, if it is another than the one mapped.
    func revalidate() throws(KeyStoreError) {
        guard let directory else { return }
        let name = GroupDirectory.generationName
        let path = directory.path.appending(name).string
        guard let status = try directory.descriptor.status(at: name, path) else {
            try forget(path)
            return
        }
        try directory.rules.check(file: status, path, isFounding: false)
        guard status.size >= Int64(MappedPage.byteCount) else {
            try forget(path)
            return
        }
        try identity.withLock { (identity) throws(KeyStoreError) in
            let isLost = words[0].load(ordering: .relaxed) == 0 || self.isLost
            guard identity != status.identity || isLost else { return }
            let file = try Descriptor(
                openat(directory.descriptor.number, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC), path, "cannot be opened")
            guard try file.status(path).identity == status.identity else { return }
            let mapped = try MappedPage.map(file, path)
            // What was marked while there was no file.
            let unwritten: LockMarks = identity == nil ? marks : []
            // The same file again, of which this process lost sight, is nobody's old one.
            unsettle(identity != nil && identity != status.identity)
            identity = status.identity
            address.store(mapped, ordering: .sequentiallyConsistent)
            mark(unwritten)
            isFile.store(true, ordering: .sequentiallyConsistent)
        }
    }

    /// Whether the words are those of a file.
    var isMapped: Bool { isFile.load(ordering: .sequentiallyConsistent) }

    /// Whether what is read and written here is not the file's any more, which lost its bytes under the mapping.
    var isLost: Bool { MappedPage.isLost(address.load(ordering: .acquiring)) }

    /// Makes the file, or makes it as long as it must be. Only under the write lock of the database.
    func makeFile() throws(KeyStoreError) {
        guard let directory else { return }
        try GenerationFile.make(in: directory.descriptor, directory.path, directory.rules)
        try revalidate()
    }

    /// Reads as unsettled from now on: the file is gone or cut.
    private func forget(_ subject: String) throws(KeyStoreError) {
        try identity.withLock { (identity) throws(KeyStoreError) in
            guard identity != nil else { return }
            let zeros = try MappedPage.map(nil, subject)
            unsettle(true)
            identity = nil
            address.store(zeros, ordering: .sequentiallyConsistent)
            isFile.store(false, ordering: .sequentiallyConsistent)
        }
    }

    /// Has everybody who still maps the file that is about to be left see that it is.
    private func unsettle(_ isMapped: Bool) {
        guard isMapped else { return }
        let words = words
        words[0].max(words[1].load(ordering: .acquiring) &+ 1, ordering: .sequentiallyConsistent)
    }

    private var words: UnsafeMutablePointer<Atomic<UInt64>> {
        // The address is never zero: it came from mmap.
        UnsafeMutablePointer(bitPattern: address.load(ordering: .acquiring)).unsafelyUnwrapped
    }
}
