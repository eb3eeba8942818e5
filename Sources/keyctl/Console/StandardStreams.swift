import Glibc

/// The first three file descriptors.
enum StandardStreams {
    /// Has all of them taken, so that no file of a store is ever opened as one of them.
    ///
    /// What the caller closed reads and writes as an error.
    static func hold() {
        for number in STDIN_FILENO...STDERR_FILENO where fcntl(number, F_GETFD) < 0 {
            // The lowest free number is the one that is missing.
            _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
