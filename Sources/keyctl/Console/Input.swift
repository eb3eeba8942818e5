import Glibc

/// Reads a file, or standard input for `-`, whole and bounded.
enum Input {
    /// The bound for anything that is not a secret.
    static let largestByteCount = 16 << 20

    /// Reads all bytes of a file.
    ///
    /// The bytes land in one allocation that is never moved, so that ``SecretInput`` can wipe every copy there is.
    /// - Throws: `notFound`, `notPermitted`, `badInput` (a directory, too large) or `inputOutput`, naming the path.
    static func read(_ path: String, limit: Int = largestByteCount) throws(CommandError) -> [UInt8] {
        let name = path == "-" ? "standard input" : path
        let descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw SystemError.failure(errno, path: name) }
        defer { if path != "-" { close(descriptor) } }
        return try readAll(descriptor, name: name, limit: limit)
    }

    /// Reads a regular file, and nothing else: a pipe that took its place would have to be waited for.
    static func readFile(_ path: String, limit: Int) throws(CommandError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard descriptor >= 0 else { throw SystemError.failure(errno, path: path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw SystemError.failure(errno, path: path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw CommandError(.badInput, path, "is something else than a file") }
        guard status.st_size <= limit else { throw CommandError(.badInput, path, "is larger than \(limit) bytes") }
        return try readAll(descriptor, name: path, limit: Int(status.st_size))
    }

    /// The same without the one newline at the end that `seal` prints after a payload.
    static func readLine(_ path: String) throws(CommandError) -> [UInt8] {
        var bytes = try read(path)
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        return bytes
    }

    private static func readAll(_ descriptor: Int32, name: String, limit: Int) throws(CommandError) -> [UInt8] {
        var failure: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: limit + 1) { buffer, count in
            while count <= limit {
                let got = Glibc.read(descriptor, buffer.baseAddress.map { $0 + count }, limit + 1 - count)
                if got == 0 { return }
                if got > 0 {
                    count += got
                } else if errno != EINTR {
                    failure = errno
                    return
                }
            }
        }
        guard failure == 0 else { throw SystemError.failure(failure, path: name) }
        guard bytes.count <= limit else { throw CommandError(.badInput, name, "is larger than \(limit) bytes") }
        return bytes
    }
}
