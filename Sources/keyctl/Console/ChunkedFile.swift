import Glibc

/// A file that is read chunk after chunk, from its beginning, once or more: however long it is, one chunk of it is in memory,
/// which is wiped in the end.
final class ChunkedFile {
    static let chunkByteCount = 1 << 16
    /// How long a signal may go unseen, in milliseconds.
    private static let longestWait: Int32 = 100

    private let descriptor: Int32
    private let path: String
    private let buffer: UnsafeMutableRawBufferPointer

    /// - Throws: `notFound`, `notPermitted`, naming the path.
    init(_ path: String) throws(CommandError) {
        descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw SystemError.failure(errno, path: path) }
        self.path = path
        buffer = .allocate(byteCount: Self.chunkByteCount, alignment: 16)
        buffer.initializeMemory(as: UInt8.self, repeating: 0)
    }

    deinit {
        if let start = buffer.baseAddress { explicit_bzero(start, buffer.count) }
        buffer.deallocate()
        close(descriptor)
    }

    /// Reads all of it to the end.
    /// - Parameters:
    ///   - goesOn: is asked before each chunk, with how many bytes were read.
    ///   - body: is handed each chunk, which is its until it returns.
    /// - Throws: `badInput` (a directory) or `inputOutput`, naming the path; `tryAgain` when it does not go on.
    func read(_ goesOn: (Int) -> Bool, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
        var done = 0
        while true {
            guard goesOn(done) else { throw CommandError(.tryAgain, nil, "interrupted") }
            // Where it is a pipe, nothing may come for long.
            var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, Self.longestWait) != 0 else { continue }
            let got = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw SystemError.failure(errno, path: path) }
            guard got > 0 else { return }
            done += got
            try body(UnsafeRawBufferPointer(rebasing: buffer[..<got]))
        }
    }

    /// Goes back to the beginning.
    /// - Throws: `badInput` for a pipe, which has none.
    func rewind() throws(CommandError) {
        guard lseek(descriptor, 0, SEEK_SET) == 0 else {
            throw CommandError(.badInput, path, "is read twice, and must be a file", hint: "save it to a file first")
        }
    }
}
