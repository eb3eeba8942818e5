import BenchmarkSupport
import Glibc

/// The time from starting an extension's process to its handler, beside an empty program's to its end.
enum StartUp {
    private static let rounds = 200

    static func compare(program: String, empty: String) throws {
        let phone = try BarePhone()
        var (programTimes, emptyTimes): ([Double], [Double]) = ([], [])
        var (programCosts, emptyCosts): ([Double], [Double]) = ([], [])
        for _ in 0..<rounds {
            let (seconds, processorSeconds) = run(empty)
            emptyTimes.append(seconds)
            emptyCosts.append(processorSeconds)
            let reception = try phone.receive(program: program)
            programTimes.append(reception.seconds)
            programCosts.append(reception.processorSeconds)
        }
        say("time", emptyTimes, programTimes)
        say("of the processors", emptyCosts, programCosts)
    }

    private static func say(_ what: String, _ empty: [Double], _ program: [Double]) {
        let ratios = zip(program, empty).map { $0 / $1 }
        print(
            "\(what): empty program \(milliseconds(empty)), to the handler \(milliseconds(program)), \(text(ratios.median)) times "
                + "(medians of \(rounds) turns)")
    }

    private static func milliseconds(_ seconds: [Double]) -> String {
        "\(text(seconds.median * 1e3)) ms (at least \(text((seconds.min() ?? 0) * 1e3)))"
    }

    private static func run(_ program: String) -> (seconds: Double, processorSeconds: Double) {
        guard let name = strdup(program) else { fatal("strdup") }
        defer { free(name) }
        let start = Clock.monotonic
        var child: pid_t = 0
        guard posix_spawn(&child, program, nil, nil, [name, nil], environ) == 0 else { fatal("\(program) does not start") }
        var usage = rusage()
        var status: Int32 = 0
        guard wait4(child, &status, 0, &usage) == child, status == 0 else { fatal(program) }
        let seconds = Clock.monotonic - start
        return (
            seconds, Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
        )
    }
}
