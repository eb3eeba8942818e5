import BenchmarkSupport
import Glibc

/// The time from starting a program to its end.
enum StartUp {
    private static let rounds = 200

    static func compare(program: String, empty: String) {
        var times: (program: [Double], empty: [Double]) = ([], [])
        for _ in 0..<rounds {
            times.empty.append(run([empty]))
            times.program.append(run([program, "--version"]))
        }
        let (program, empty) = (times.program.median, times.empty.median)
        print(
            "start-up: empty program \(text(empty * 1e3)) ms, keyctl --version \(text(program * 1e3)) ms "
                + "(+\(text((program - empty) * 1e3)) ms; medians of \(rounds))")
    }

    private static func run(_ arguments: [String]) -> Double {
        var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) } + [nil]
        defer { pointers.forEach { free($0) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        defer { posix_spawn_file_actions_destroy(&actions) }
        let start = Clock.monotonic
        var child: pid_t = 0
        guard posix_spawn(&child, arguments[0], &actions, nil, &pointers, environ) == 0 else {
            print("\(arguments[0]) does not start")
            exit(69)
        }
        var status: Int32 = 0
        waitpid(child, &status, 0)
        return Clock.monotonic - start
    }
}
