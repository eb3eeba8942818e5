import Glibc

/// The lines of a file, or of standard input for `-`, one after another: however many there are, no more than one and what
/// was read behind it is in memory.
final class LineInput {
    /// The bound for one line.
    static let longestByteCount = 1 << 20
    private static let chunkByteCount = 1 << 16

    private let descriptor: Int32
    private let name: String
    /// What was read, of which the first `consumed` bytes are done with.
    private var bytes: [UInt8] = []
    private var consumed = 0
    private var isAtEnd = false

    /// - Throws: `notFound`, `notPermitted`, naming the path.
    init(_ path: String) throws(CommandError) {
        name = path == "-" ? "standard input" : path
        descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw SystemError.failure(errno, path: name) }
    }

    deinit { if descriptor != STDIN_FILENO { close(descriptor) } }

    /// The next line without its newline; nil after the last.
    /// - Throws: `badInput` (a directory, a line that is too long) or `inputOutput`, naming the path.
    func next() throws(CommandError) -> [UInt8]? {
        var searched = consumed
        while true {
            if let end = bytes[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { consumed = end + 1 }
                return Array(bytes[consumed..<end])
            }
            guard bytes.count - consumed <= Self.longestByteCount else {
                throw CommandError(.badInput, name, "a line is longer than \(Self.longestByteCount) bytes")
            }
            guard !isAtEnd else {
                defer { consumed = bytes.count }
                return consumed < bytes.count ? Array(bytes[consumed...]) : nil
            }
            bytes.removeFirst(consumed)
            consumed = 0
            searched = bytes.count
            try fill()
        }
    }

    private func fill() throws(CommandError) {
        var got = 0
        var failure: Int32 = 0
        let (descriptor, old) = (descriptor, bytes)
        bytes = [UInt8](unsafeUninitializedCapacity: old.count + Self.chunkByteCount) { buffer, count in
            _ = buffer.initialize(fromContentsOf: old)
            repeat {
                got = Glibc.read(descriptor, buffer.baseAddress.map { $0 + old.count }, Self.chunkByteCount)
                failure = got < 0 ? errno : 0
            } while failure == EINTR
            count = old.count + max(0, got)
        }
        guard failure == 0 else { throw SystemError.failure(failure, path: name) }
        isAtEnd = got == 0
    }
}
