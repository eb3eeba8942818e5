import Glibc

/// The lines of a file, or of standard input for `-`, one after another: however many and however long they are, no more
/// than one of the longest and what was read behind it is in memory, which is wiped in the end.
final class LineInput {
    enum Line: Equatable {
        case text([UInt8])
        /// It is longer than ``longestByteCount``, and was passed over.
        case tooLong
    }

    /// The bound for one line.
    static let longestByteCount = 1 << 20
    private static let chunkByteCount = 1 << 16
    /// How long a signal may go unseen, in milliseconds.
    private static let longestWait: Int32 = 100

    private let descriptor: Int32
    private let name: String
    /// Where it is read to; `kept` are the bytes that are not done with.
    private let buffer: UnsafeMutableBufferPointer<UInt8>
    private var kept = 0..<0
    private var isAtEnd = false
    /// Whether it ended as a signal that is held back came while it waited for more.
    private(set) var isInterrupted = false

    /// - Throws: `notFound`, `notPermitted`, naming the path.
    init(_ path: String) throws(CommandError) {
        let name = path == "-" ? "standard input" : path
        let opened = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard opened >= 0 else { throw SystemError.failure(errno, path: name) }
        self.name = name
        descriptor = opened
        buffer = .allocate(capacity: Self.longestByteCount + Self.chunkByteCount)
        buffer.initialize(repeating: 0)
    }

    deinit {
        if let base = buffer.baseAddress { explicit_bzero(base, buffer.count) }
        buffer.deallocate()
        if descriptor != STDIN_FILENO { close(descriptor) }
    }

    /// The reason by which a line that is too long is refused.
    static let tooLong = CommandError(.badInput, nil, "is longer than \(longestByteCount) bytes")

    /// The next line without its newline; nil after the last.
    /// - Throws: `badInput` (a directory) or `inputOutput`, naming the path.
    func next() throws(CommandError) -> Line? {
        var searched = kept.lowerBound
        while true {
            if let end = buffer[searched..<kept.upperBound].firstIndex(of: UInt8(ascii: "\n")) {
                defer { kept = end + 1..<kept.upperBound }
                return line(kept.lowerBound..<end)
            }
            guard kept.count <= Self.longestByteCount else {
                try passOver()
                return .tooLong
            }
            guard !isAtEnd else {
                defer { kept = kept.upperBound..<kept.upperBound }
                return kept.isEmpty ? nil : line(kept)
            }
            if kept.upperBound + Self.chunkByteCount > buffer.count { moveToFront() }
            searched = kept.upperBound
            try fill()
        }
    }

    private func line(_ range: Range<Int>) -> Line {
        range.count <= Self.longestByteCount ? .text(Array(buffer[range])) : .tooLong
    }

    /// Reads up to the newline or the end, and keeps what is behind it alone.
    private func passOver() throws(CommandError) {
        while true {
            if let end = buffer[kept].firstIndex(of: UInt8(ascii: "\n")) {
                kept = end + 1..<kept.upperBound
                return
            }
            kept = 0..<0
            guard !isAtEnd else { return }
            try fill()
        }
    }

    private func moveToFront() {
        guard let base = buffer.baseAddress else { return }
        memmove(base, base + kept.lowerBound, kept.count)
        kept = 0..<kept.count
    }

    /// Reads on behind what is kept, where there is room for it.
    private func fill() throws(CommandError) {
        guard waitForMore() else {
            // What came of the line is no line.
            kept = kept.upperBound..<kept.upperBound
            (isAtEnd, isInterrupted) = (true, true)
            return
        }
        let place = buffer.baseAddress.map { $0 + kept.upperBound }
        var got = read(descriptor, place, Self.chunkByteCount)
        while got < 0 && errno == EINTR { got = read(descriptor, place, Self.chunkByteCount) }
        guard got >= 0 else { throw SystemError.failure(errno, path: name) }
        isAtEnd = got == 0
        kept = kept.lowerBound..<kept.upperBound + got
    }

    /// Whether there is something to read, or the end; false when a signal that is held back came before that.
    private func waitForMore() -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&waiting, 1, Self.longestWait) == 0 { if HeldSignals.isOneWaiting { return false } }
        return true
    }
}
