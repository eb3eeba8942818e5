import Glibc

/// A new file for a secret: mode 0600, never in the place of another, and never there half-written.
///
/// A temporary sibling is written and given its name by `link(2)`, which refuses an existing one.
final class SecretFile {
    let path: String
    private let temporaryPath: String
    private let descriptor: Int32

    /// Makes the temporary sibling, so that everything that can be refused is refused before the secret is fetched.
    /// - Throws: `cannotCreate` when the path is there already or its folder cannot be written to.
    init(creating path: String) throws(CommandError) {
        var status = stat()
        guard lstat(path, &status) != 0 else {
            throw CommandError(.cannotCreate, path, "is there already", hint: "name a file that is not there yet")
        }
        let slash = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let temporaryPath = "\(path[..<slash]).\(path[slash...]).\(getpid()).new"
        let opened = open(temporaryPath, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw CommandError(.cannotCreate, path, SystemError.text(errno)) }
        // Only now is there something to remove: a `deinit` before would take away what is not ours.
        self.path = path
        self.temporaryPath = temporaryPath
        descriptor = opened
    }

    deinit {
        close(descriptor)
        unlink(temporaryPath)
    }

    /// Writes the bytes, makes them durable, and gives the file its name.
    func commit(_ bytes: [UInt8]) throws(CommandError) {
        try Output(descriptor: descriptor, name: path).write(bytes)
        guard fsync(descriptor) == 0 else { throw SystemError.failure(errno, path: path) }
        guard link(temporaryPath, path) == 0 else { throw SystemError.failure(errno, path: path) }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
        let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw SystemError.failure(errno, path: folder) }
        defer { close(directory) }
        guard fsync(directory) == 0 else { throw SystemError.failure(errno, path: folder) }
    }
}
