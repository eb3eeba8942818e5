import CCrashFaults
import Glibc
import OpenerNSE

/// A process that does one thing with an extension's stages or queue, until it is done, or killed, or out of room.
///
/// `queue-worker FOLDER WORK NUMBER`. It says what has happened as soon as it has.
@main
enum Main {
    private static let faults = [
        "count": waxwing_fault_count, "kill": waxwing_fault_kill, "full": waxwing_fault_full, "io": waxwing_fault_io,
        "read-only": waxwing_fault_read_only,
    ]

    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 4, let number = Int(arguments[3]), waxwing_fault_install() == 0 else { exit(64) }
        let words = arguments[2].split(separator: "/").map(String.init)
        do {
            switch words.first {
            case "queue": try faulty(words, number) { () throws(ContainerError) in try QueueWork.run(in: arguments[1]) }
            case "deliver": try faulty(words, number) { () throws(ContainerError) in try DeliveryWork.all(in: arguments[1]) }
            case "die": try DeliveryWork.dying(in: arguments[1], number)
            case "many": try DeliveryWork.many(in: arguments[1], number)
            default: exit(64)
            }
        } catch {
            say("failed \(error)")
            exit(1)
        }
    }

    /// Under a fault at the boundary of that number.
    private static func faulty(
        _ words: [String], _ number: Int, _ body: () throws(ContainerError) -> Void
    ) throws(ContainerError) {
        guard let word = words.last, let fault = faults[word] else { exit(64) }
        waxwing_fault_arm(fault, number)
        defer {
            waxwing_fault_disarm()
            say("passed \(waxwing_fault_passed(fault == waxwing_fault_count ? waxwing_fault_kill : fault))")
        }
        try body()
    }

    /// At once and whole.
    static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        guard write(STDOUT_FILENO, bytes, bytes.count) == bytes.count else { _exit(74) }
    }
}
