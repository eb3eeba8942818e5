internal import Glibc
internal import Synchronization

/// The number of the last commit that changed keys or the lock state, where every process can see it: two words in a
/// mapped file beside the database (docs/decisions/generation-file.md).
///
/// A writer sets `started` before its commit and `completed` after it; what was cached while both were one number is
/// good as long as both stay that number.
public final class Generation: Sendable {
    static let byteCount = 4_096

    /// Where the two words are now. A mapping that was replaced stays mapped: somebody may be reading it.
    private let address: Atomic<UInt>
    private let isFile: Atomic<Bool>
    private let identity: Mutex<FileStatus.Identity?>
    /// Nil for one that no other process sees.
    private let directory: GroupDirectory?

    /// Maps the file if it is there and as it must be; else everything reads as unsettled until it is made anew.
    init(in directory: GroupDirectory) throws(KeyStoreError) {
        self.directory = directory
        address = Atomic(try Self.zeros(directory.path.string))
        isFile = Atomic(false)
        identity = Mutex(nil)
        try revalidate()
    }

    /// One for a rehearsal: it begins where the other is and nobody else sees it.
    init(rehearsing other: Generation, _ subject: String) throws(KeyStoreError) {
        directory = nil
        address = Atomic(try Self.zeros(subject))
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
        guard status.size >= Int64(Self.byteCount) else {
            try forget(path)
            return
        }
        try identity.withLock { (identity) throws(KeyStoreError) in
            guard identity != status.identity else { return }
            let file = try Descriptor(
                openat(directory.descriptor.number, name, O_RDWR | O_NOFOLLOW | O_CLOEXEC), path, "cannot be opened")
            guard try file.status(path).identity == status.identity else { return }
            let mapped = mmap(nil, Self.byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, file.number, 0)
            guard let mapped, mapped != MAP_FAILED else { throw KeyStoreError(errno: errno, path, "cannot be mapped") }
            identity = status.identity
            address.store(UInt(bitPattern: mapped), ordering: .sequentiallyConsistent)
            isFile.store(true, ordering: .sequentiallyConsistent)
        }
    }

    /// Whether the words are those of a file.
    var isMapped: Bool { isFile.load(ordering: .sequentiallyConsistent) }

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
            address.store(try Self.zeros(subject), ordering: .sequentiallyConsistent)
            identity = nil
            isFile.store(false, ordering: .sequentiallyConsistent)
        }
    }

    /// The address of memory of this process alone, all zero.
    private static func zeros(_ subject: String) throws(KeyStoreError) -> UInt {
        let zeros = mmap(nil, byteCount, PROT_READ | PROT_WRITE, MAP_PRIVATE | Int32(MAP_ANONYMOUS), -1, 0)
        guard let zeros, zeros != MAP_FAILED else { throw KeyStoreError(errno: errno, subject, "no memory can be mapped") }
        return UInt(bitPattern: zeros)
    }

    private var words: UnsafeMutablePointer<Atomic<UInt64>> {
        // The address is never zero: it came from mmap.
        UnsafeMutablePointer(bitPattern: address.load(ordering: .acquiring)).unsafelyUnwrapped
    }
}
