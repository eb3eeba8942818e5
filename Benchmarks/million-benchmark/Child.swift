import BenchmarkSupport
import Glibc

/// A process that was started, its output in a file.
struct Child {
    private let identifier: pid_t
    private let started: Double
    private let what: String

    init(_ arguments: [String], output: String = "/dev/null") {
        var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { pointers.forEach { free($0) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        defer { posix_spawn_file_actions_destroy(&actions) }
        var child: pid_t = 0
        started = Clock.monotonic
        guard posix_spawn(&child, arguments[0], &actions, nil, &pointers, environ) == 0 else {
            fatal("\(arguments[0]) does not start")
        }
        identifier = child
        what = arguments.joined(separator: " ")
    }

    /// Waits for its end.
    func wait() -> ProcessCost {
        var status: Int32 = 0
        var usage = rusage()
        guard wait4(identifier, &status, 0, &usage) == identifier else { fatal("wait4") }
        let wall = Clock.monotonic - started
        guard status == 0 else { fatal("\(what): status \(status)") }
        return ProcessCost(
            wall: wall, user: Self.seconds(usage.ru_utime), system: Self.seconds(usage.ru_stime), peak: usage.ru_maxrss)
    }

    @discardableResult
    static func run(_ arguments: [String], output: String = "/dev/null") -> ProcessCost {
        Child(arguments, output: output).wait()
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
}
