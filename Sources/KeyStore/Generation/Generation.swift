internal import Glibc
internal import Synchronization

/// The number of the last commit that changed keys or the lock state, where every process can see it: two words in a
/// mapped file beside the database (docs/decisions/0005-generation-file.md). A third has the marks of a lock.
///
/// A writer sets `started` before its commit and `completed` after it; what was cached while both were one number is
/// good as long as both stay that number.
public final class Generation: Sendable {
    /// What is mapped, and was: a mapping that was replaced stays until this goes, as somebody may be reading it.
    private struct Mapped {
        var identity: FileStatus.Identity?
        var pages: [UInt]
    }

    /// Where the two words are now.
    private let address: Atomic<UInt>
    private let isFile: Atomic<Bool>
    private let mapped: Mutex<Mapped>
    /// Nil for one that no other process sees.
    private let directory: GroupDirectory?

    /// Maps the file if it is there and as it must be; else everything reads as unsettled until it is made anew.
    init(in directory: GroupDirectory) throws(KeyStoreError) {
        self.directory = directory
        let zeros = try MappedPage.map(nil, directory.path.string)
        address = Atomic(zeros)
        isFile = Atomic(false)
        mapped = Mutex(Mapped(identity: nil, pages: [zeros]))
        try revalidate()
    }

    /// One for a rehearsal: it begins where the other is and nobody else sees it.
    init(rehearsing other: Generation, _ subject: String) throws(KeyStoreError) {
        directory = nil
        let page = try MappedPage.map(nil, subject)
        address = Atomic(page)
        isFile = Atomic(true)
        mapped = Mutex(Mapped(identity: nil, pages: [page]))
        let stamp = other.read()
        begin(stamp.started)
        complete(stamp.completed)
    }

    deinit { mapped.withLock { $0.pages.forEach(MappedPage.unmap) } }

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

    /// Raises `started`, before the commit; under the write lock of the database. What is there and not below the number could
    /// not be believed, and is replaced.
    func begin(_ number: UInt64) {
        let words = words
        let stamp = read()
        guard max(stamp.started, stamp.completed) >= number else {
            words[0].max(number, ordering: .sequentiallyConsistent)
            return
        }
        words[1].store(0, ordering: .sequentiallyConsistent)
        words[0].store(number, ordering: .sequentiallyConsistent)
    }

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
        try mapped.withLock { (mapped) throws(KeyStoreError) in
            let isLost = words[0].load(ordering: .relaxed) == 0 || self.isLost
            guard mapped.identity != status.identity || isLost else { return }
            let file = try Descriptor(
                openat(directory.descriptor.number, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC), path, "cannot be opened")
            guard try file.status(path).identity == status.identity else { return }
            let page = try MappedPage.map(file, path)
            // What was marked while there was no file.
            let unwritten: LockMarks = mapped.identity == nil ? marks : []
            // The same file again, of which this process lost sight, is nobody's old one.
            unsettle(mapped.identity != nil && mapped.identity != status.identity)
            mapped.identity = status.identity
            mapped.pages.append(page)
            address.store(page, ordering: .sequentiallyConsistent)
            mark(unwritten)
            isFile.store(true, ordering: .sequentiallyConsistent)
        }
    }

    /// - Parameter committed: the number that the database has.
    /// - Throws: `.damaged` for a number that no store comes to; nothing is cached under it, and the next writer replaces it.
    func check(committed: Int64) throws(KeyStoreError) {
        guard !read().isBelieved || GenerationNumber.committed(committed) >= GenerationNumber.bound else { return }
        let path = directory?.path.appending(GroupDirectory.generationName).string
        throw KeyStoreError(
            .damaged, read().isBelieved ? "table housekeeping" : path ?? "generation",
            "its generation is a number that no store comes to",
            hint: "keyctl unlock, which replaces it as any change of the store does; no key is lost by it")
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
        try mapped.withLock { (mapped) throws(KeyStoreError) in
            guard mapped.identity != nil else { return }
            let zeros = try MappedPage.map(nil, subject)
            unsettle(true)
            mapped.identity = nil
            mapped.pages.append(zeros)
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
