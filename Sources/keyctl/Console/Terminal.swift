import Glibc

/// The controlling terminal with its echo off; it is put back when this goes, and before a signal takes effect,
/// the stop from the keyboard too.
final class Terminal {
    private let descriptor: Int32
    private var saved = termios()
    private var silent = termios()
    private var prompt = ""

    /// - Parameter hint: how to do without one.
    /// - Throws: `usage` when there is no terminal.
    init(hint: String) throws(CommandError) {
        let opened = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY)
        guard opened >= 0, tcgetattr(opened, &saved) == 0 else {
            if opened >= 0 { close(opened) }
            throw .usage("passphrase", "there is no terminal to ask on", hint: hint)
        }
        descriptor = opened
    }

    deinit { close(descriptor) }

    /// Shows what is asked for, again when the program was stopped meanwhile.
    func ask(_ text: String) throws(CommandError) {
        prompt = text
        try show(text)
    }

    func show(_ text: String) throws(CommandError) {
        try Output(descriptor: descriptor, name: "the terminal").write(Array(text.utf8))
    }

    /// Runs `body` with the echo off and ending signals held back.
    ///
    /// A signal that comes meanwhile ends `body` at its next ``readByte(into:)``, and takes effect once the echo is on.
    func withoutEcho<Result>(_ body: (borrowing HeldSignals) throws -> Result) throws -> Result {
        let held = HeldSignals(holdsStop: true)
        silent = saved
        silent.c_lflag &= ~tcflag_t(ECHO | ECHONL)
        silent.c_lflag |= tcflag_t(ICANON | ISIG)
        guard tcsetattr(descriptor, TCSAFLUSH, &silent) == 0 else {
            throw CommandError(.inputOutput, "the terminal", SystemError.text(errno))
        }
        defer { tcsetattr(descriptor, TCSAFLUSH, &saved) }
        return try body(held)
    }

    /// The next byte of a line; false at the end of the input.
    func readByte(into byte: UnsafeMutablePointer<UInt8>, _ held: borrowing HeldSignals) throws(CommandError) -> Bool {
        var waiting = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while true {
            if HeldSignals.isOneWaiting { throw CommandError(.notPermitted, "passphrase", "interrupted") }
            let wasStopped = held.stop(
                before: { tcsetattr(descriptor, TCSAFLUSH, &saved) }, after: { tcsetattr(descriptor, TCSAFLUSH, &silent) })
            if wasStopped { try show(prompt) }
            let ready = poll(&waiting, 1, 50)
            if ready < 0 && errno != EINTR {
                throw CommandError(.inputOutput, "the terminal", SystemError.text(errno))
            }
            guard ready > 0 else { continue }
            let got = read(descriptor, byte, 1)
            if got < 0 && errno == EINTR { continue }
            guard got >= 0 else { throw CommandError(.inputOutput, "the terminal", SystemError.text(errno)) }
            return got == 1
        }
    }
}
