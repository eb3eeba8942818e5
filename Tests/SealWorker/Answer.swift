import Glibc

/// What the worker says to its test.
enum Answer {
    /// Runs a command and ends its answer.
    static func end(_ body: () throws -> Void) {
        do {
            try body()
            Answer.say("done")
        } catch {
            Answer.say("error \(error)")
        }
    }

    /// Writes a line at once: nothing waits in a buffer that a fork would double.
    static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        guard write(STDOUT_FILENO, bytes, bytes.count) == bytes.count else { _exit(74) }
    }

    /// Monotonic time in nanoseconds, the same clock in every process.
    static var time: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

/// A command that is not as it must be, or a system call that failed.
struct WorkerError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
