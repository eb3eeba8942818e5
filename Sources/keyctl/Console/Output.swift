import Glibc

/// A file descriptor written to with `write(2)`: short writes are continued, every error is seen.
struct Output: Sendable {
    let descriptor: Int32
    /// How the stream is called in messages.
    let name: String

    static let standard = Output(descriptor: STDOUT_FILENO, name: "standard output")
    static let error = Output(descriptor: STDERR_FILENO, name: "standard error")

    /// Whether a person is reading.
    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Writes all bytes.
    /// - Throws: `inputOutput` naming the stream; when the reader has gone away the reason is ``brokenPipe``.
    func write(_ bytes: [UInt8]) throws(CommandError) {
        var offset = 0
        while offset < bytes.count {
            let written = bytes.withUnsafeBytes { buffer in
                Glibc.write(descriptor, buffer.baseAddress.map { $0 + offset }, buffer.count - offset)
            }
            if written > 0 {
                offset += written
                continue
            }
            let code = errno
            if written < 0 && code == EINTR { continue }
            if written < 0 && code == EAGAIN {
                var waiting = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                guard poll(&waiting, 1, -1) >= 0 || errno == EINTR else {
                    throw CommandError(.inputOutput, name, SystemError.text(errno))
                }
                continue
            }
            if code == EPIPE { throw CommandError(.inputOutput, name, Self.brokenPipe) }
            throw CommandError(.inputOutput, name, code == 0 ? "nothing more is taken" : SystemError.text(code))
        }
    }

    /// The reason when the reader has gone away; it is not worth a message.
    static let brokenPipe = "the reader has gone away"
}
