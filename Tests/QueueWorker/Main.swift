import CCrashFaults
import EnvelopeFormat
import Glibc

@testable import OpenerNSE

/// A process that has notifications wait and then drains them, and is killed at one of its write boundaries.
///
/// `queue-worker FOLDER count|kill NUMBER`. It says `queued ID`, `shown ID`, `confirmed ID` as soon as each has happened, and
/// last `passed N`, the boundaries that there were.
@main
enum Main {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let number = Int(arguments[3]), waxwing_fault_install() == 0 else { exit(64) }
        waxwing_fault_arm(arguments[2] == "kill" ? waxwing_fault_kill : waxwing_fault_count, number)
        do { try run(in: arguments[1]) } catch {
            say("failed \(error)")
            exit(1)
        }
        waxwing_fault_disarm()
        say("passed \(waxwing_fault_passed(waxwing_fault_kill))")
    }

    private static func run(in folder: String) throws(ContainerError) {
        let queue = try DeferredQueue(folder)
        // Two that are locked, one that opens in time, one that opens too late, the first again.
        for (identifier, text, outcome, isShown) in [
            ("a", "1", Outcome.keyLocked, true), ("b", "2", .keyLocked, true), ("c", "3", .opened, true),
            ("d", "4", .opened, false), ("a", "1", .keyLocked, true),
        ] {
            let incoming = IncomingNotification(identifier: identifier, sealed: .string(text), arrival: Int64(text) ?? 0)
            let entry = queue.begin(incoming)
            say("begun \(identifier)")
            let open = queue.settle(entry, incoming, outcome, isShown: isShown)
            if outcome == .opened, isShown { say("shown \(identifier)") } else { say("queued \(identifier)") }
            queue.finish(open)
        }
        try queue.drain(now: 5) { entry in
            say("shown \(entry.identifier)")
            return entry.identifier != "b"
        }
        say("drained")
    }

    /// At once and whole.
    private static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        guard write(STDOUT_FILENO, bytes, bytes.count) == bytes.count else { _exit(74) }
    }
}
