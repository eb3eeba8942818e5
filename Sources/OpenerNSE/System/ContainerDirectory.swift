#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A directory that an app and its extension share: the App Group container's, on Linux any directory.
///
/// What is replaced is old or new at every moment, also when the process is killed. Nothing here is protected by the lock
/// state, so that it can be written before the first unlock, and nothing here is plaintext.
public final class ContainerDirectory: Sendable {
    /// How long a lock is waited for. Who holds one longer was stopped or is stuck, and a notification has to be shown.
    private static let standardPatience = Duration.seconds(5)
    private let patience: Duration
    private let directory: OpenDirectory
    private var descriptor: Int32 { directory.descriptor }

    /// Makes the directory where it is not there yet; those above it have to be.
    public convenience init(_ path: String) throws(ContainerError) { try self.init(path, patience: Self.standardPatience) }

    init(_ path: String, patience: Duration) throws(ContainerError) {
        directory = try OpenDirectory(path)
        self.patience = patience
    }

    public var path: String { directory.path }

    /// The whole of a file; nil when it is not there.
    /// - Throws: also for one that has more bytes than that (``ContainerError/isTooLarge``), and for what is no file.
    public func read(_ name: String, atMost limit: Int) throws(ContainerError) -> [UInt8]? {
        let file: Int32
        do throws(ContainerError) { file = try openFile(name, O_RDONLY) } catch {
            guard error.code == ENOENT else { throw error }
            return nil
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw ContainerError(name, "stat") }
        guard status.st_size <= limit else { throw .tooLarge(name) }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var filled = 0
        while filled < bytes.count {
            let count = bytes.withUnsafeMutableBytes { buffer in
                #if canImport(Darwin)
                    Darwin.read(file, buffer.baseAddress?.advanced(by: filled), buffer.count - filled)
                #else
                    Glibc.read(file, buffer.baseAddress?.advanced(by: filled), buffer.count - filled)
                #endif
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw ContainerError(name, "read") }
            // Cut short meanwhile.
            guard count > 0 else { return Array(bytes.prefix(filled)) }
            filled += count
        }
        return bytes
    }

    /// Puts a file in the place of the one of that name, if any, in one step.
    /// - Parameter isDurable: whether it is there after a power cut, too.
    public func replace(_ name: String, with bytes: [UInt8], isDurable: Bool = true) throws(ContainerError) {
        let temporary = ".\(name).\(getpid()).\(UInt64.random(in: 0 ... .max))"
        let file = openat(descriptor, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw ContainerError(name, "create") }
        do throws(ContainerError) {
            defer { close(file) }
            try Self.write(bytes, to: file, name)
            if isDurable, fsync(file) != 0 { throw ContainerError(name, "fsync") }
            guard renameat(descriptor, temporary, descriptor, name) == 0 else { throw ContainerError(name, "rename") }
        } catch {
            unlinkat(descriptor, temporary, 0)
            throw error
        }
        if isDurable, fsync(descriptor) != 0 { throw ContainerError(name, "fsync") }
    }

    /// Adds bytes at the end of a file, in one write, and makes it where it is not there.
    public func append(_ bytes: [UInt8], to name: String) throws(ContainerError) {
        let file = try openFile(name, O_WRONLY | O_CREAT | O_APPEND)
        defer { close(file) }
        try Self.write(bytes, to: file, name)
    }

    /// Another name for a file, in the place of one that has it.
    /// - Parameter isDurable: whether content and name are there after a power cut, too.
    public func rename(_ name: String, to other: String, isDurable: Bool = false) throws(ContainerError) {
        if isDurable {
            let file = try openFile(name, O_RDONLY)
            defer { close(file) }
            guard fsync(file) == 0 else { throw ContainerError(name, "fsync") }
        }
        guard renameat(descriptor, name, descriptor, other) == 0 else { throw ContainerError(name, "rename") }
        if isDurable, fsync(descriptor) != 0 { throw ContainerError(name, "fsync") }
    }

    /// Removes a file; one that is not there is no error.
    public func remove(_ name: String) throws(ContainerError) {
        guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else { throw ContainerError(name, "unlink") }
    }

    /// How many bytes a file has; nil when it is not there.
    public func byteCount(of name: String) throws(ContainerError) -> Int? {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            guard errno == ENOENT else { throw ContainerError(name, "stat") }
            return nil
        }
        return Int(status.st_size)
    }

    /// Removes what a killed process left half written. Nobody may be writing meanwhile.
    func removeUnfinished() throws(ContainerError) {
        for name in try directory.names() where name.hasPrefix(".") { try remove(name) }
    }

    /// The names of what is in it, in the order of their bytes; what begins with a dot is being written, and left out.
    public func names() throws(ContainerError) -> [String] {
        try directory.names().filter { !$0.hasPrefix(".") }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Runs the body while no other process, and no other thread, is in one under that name. The kernel ends it with the process.
    /// - Throws: also when somebody else is in one for longer than is waited for.
    public func whileLocked<Result>(
        _ name: String, _ body: () throws(ContainerError) -> Result
    ) throws(ContainerError) -> Result {
        let end = ContinuousClock.now + patience
        var nap: UInt32 = 100
        while true {
            if let result = try ifUnlocked(name, body) { return result }
            guard ContinuousClock.now < end else { throw ContainerError(name, "flock", code: EWOULDBLOCK) }
            usleep(nap)
            nap = min(2 * nap, 5_000)
        }
    }

    /// The same without waiting; nil when somebody else is in one.
    public func ifUnlocked<Result>(
        _ name: String, _ body: () throws(ContainerError) -> Result
    ) throws(ContainerError) -> Result? {
        guard let lock = try lock(name) else { return nil }
        defer { withExtendedLifetime(lock) {} }
        return try body()
    }

    /// A lock of that name for as long as the object is there, or the process; nil when somebody else has it.
    func lock(_ name: String) throws(ContainerError) -> FileLock? { FileLock(owning: try openFile(name, O_RDWR | O_CREAT)) }

    /// What ``FileLock/note(_:)`` noted beside the lock of that name; nil when there is none.
    func note(of name: String) -> Int64? {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { return nil }
        #if canImport(Darwin)
            return Int64(status.st_mtimespec.tv_sec)
        #else
            return Int64(status.st_mtim.tv_sec)
        #endif
    }

    /// Whether a lock is that of the file which has the name now.
    func isCurrent(_ lock: FileLock, _ name: String) -> Bool {
        var status = stat()
        return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && lock.isOn(status)
    }

    /// A file and nothing else: what blocks whoever opens it, or leads elsewhere, is refused.
    private func openFile(_ name: String, _ flags: Int32) throws(ContainerError) -> Int32 {
        let file = openat(descriptor, name, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw ContainerError(name, "open") }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(file)
            throw ContainerError(name, "open", code: EINVAL)
        }
        return file
    }

    private static func write(_ bytes: [UInt8], to file: Int32, _ name: String) throws(ContainerError) {
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes { buffer in
                #if canImport(Darwin)
                    Darwin.write(file, buffer.baseAddress?.advanced(by: written), buffer.count - written)
                #else
                    Glibc.write(file, buffer.baseAddress?.advanced(by: written), buffer.count - written)
                #endif
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw ContainerError(name, "write") }
            written += count
        }
    }
}
