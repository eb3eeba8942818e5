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
    public let path: String
    private let descriptor: Int32

    /// Makes the directory where it is not there yet; those above it have to be.
    public init(_ path: String) throws(ContainerError) {
        self.path = path
        let made = mkdir(path, 0o700)
        guard made == 0 || errno == EEXIST else { throw Self.failure(path, "mkdir") }
        descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.failure(path, "open") }
    }

    deinit { close(descriptor) }

    /// The whole of a file; nil when it is not there, or has more bytes than that.
    public func read(_ name: String, atMost limit: Int) throws(ContainerError) -> [UInt8]? {
        let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard file >= 0 else {
            guard errno == ENOENT else { throw Self.failure(name, "open") }
            return nil
        }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw Self.failure(name, "stat") }
        guard status.st_size <= limit else { return nil }
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
            guard count >= 0 else { throw Self.failure(name, "read") }
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
        guard file >= 0 else { throw Self.failure(name, "create") }
        do throws(ContainerError) {
            defer { close(file) }
            try Self.write(bytes, to: file, name)
            if isDurable, fsync(file) != 0 { throw Self.failure(name, "fsync") }
            guard renameat(descriptor, temporary, descriptor, name) == 0 else { throw Self.failure(name, "rename") }
        } catch {
            unlinkat(descriptor, temporary, 0)
            throw error
        }
        if isDurable, fsync(descriptor) != 0 { throw Self.failure(name, "fsync") }
    }

    /// Adds bytes at the end of a file, in one write, and makes it where it is not there.
    public func append(_ bytes: [UInt8], to name: String) throws(ContainerError) {
        let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.failure(name, "open") }
        defer { close(file) }
        try Self.write(bytes, to: file, name)
    }

    /// Another name for a file, in the place of one that has it.
    /// - Parameter isDurable: whether content and name are there after a power cut, too.
    public func rename(_ name: String, to other: String, isDurable: Bool = false) throws(ContainerError) {
        if isDurable {
            let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
            guard file >= 0 else { throw Self.failure(name, "open") }
            defer { close(file) }
            guard fsync(file) == 0 else { throw Self.failure(name, "fsync") }
        }
        guard renameat(descriptor, name, descriptor, other) == 0 else { throw Self.failure(name, "rename") }
        if isDurable, fsync(descriptor) != 0 { throw Self.failure(name, "fsync") }
    }

    /// Removes a file; one that is not there is no error.
    public func remove(_ name: String) throws(ContainerError) {
        guard unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else { throw Self.failure(name, "unlink") }
    }

    /// How many bytes a file has; nil when it is not there.
    public func byteCount(of name: String) throws(ContainerError) -> Int? {
        var status = stat()
        guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
            guard errno == ENOENT else { throw Self.failure(name, "stat") }
            return nil
        }
        return Int(status.st_size)
    }

    /// Removes what a killed process left half written. Nobody may be writing meanwhile.
    func removeUnfinished() throws(ContainerError) {
        for name in try allNames() where name.hasPrefix(".") { try remove(name) }
    }

    /// The names of what is in it, in the order of their bytes; what begins with a dot is being written, and left out.
    public func names() throws(ContainerError) -> [String] {
        try allNames().filter { !$0.hasPrefix(".") }.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private func allNames() throws(ContainerError) -> [String] {
        let copy = openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0, let stream = fdopendir(copy) else { throw Self.failure(path, "opendir") }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { buffer in
                String(decoding: buffer.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// Runs the body while no other process, and no other thread, is in one under that name. The kernel ends it with the process.
    public func whileLocked<Result>(
        _ name: String, _ body: () throws(ContainerError) -> Result
    ) throws(ContainerError) -> Result {
        let file = try lockFile(name)
        defer { close(file) }
        while flock(file, LOCK_EX) != 0 {
            guard errno == EINTR else { throw Self.failure(name, "flock") }
        }
        return try body()
    }

    /// The same without waiting; nil when somebody else is in one.
    public func ifUnlocked<Result>(
        _ name: String, _ body: () throws(ContainerError) -> Result
    ) throws(ContainerError) -> Result? {
        let file = try lockFile(name)
        defer { close(file) }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else { return nil }
        return try body()
    }

    private func lockFile(_ name: String) throws(ContainerError) -> Int32 {
        let file = openat(descriptor, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw Self.failure(name, "open") }
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
            guard count > 0 else { throw failure(name, "write") }
            written += count
        }
    }

    private static func failure(_ name: String, _ operation: String) -> ContainerError {
        ContainerError(name: name, operation: operation, code: errno)
    }
}
