import CCrashFaults
import CrashSupport
import Glibc
import KeyStore

/// A process that runs one operation on a scene, with a fault at one of its write boundaries.
///
/// `crash-worker FOLDER OPERATION FAULT NUMBER`; FAULT is one of ``faults``. It says `step N` after each step, `passed FAULT N` for
/// the boundaries that there were, and after a fault that did not end it what the state is; then it goes on where `go STEP` says.
///
/// `crash-worker FOLDER WORK busy 0` repeats one of ``CrashScene/work`` until it is killed, and says `done` each time.
@main
enum Main {
    private static let faults: [String: waxwing_fault] = [
        "count": waxwing_fault_count, "kill": waxwing_fault_kill, "torn": waxwing_fault_torn,
        "full": waxwing_fault_full, "io": waxwing_fault_io, "read-only": waxwing_fault_read_only,
    ]

    static func main() {
        do { try ProcessHardening.apply() } catch {
            say("the process cannot be protected: \(error)")
            exit(70)
        }
        let arguments = CommandLine.arguments
        if arguments.count == 5, arguments[3] == "busy", let work = CrashScene.work[arguments[2]] {
            return keepBusy(work, in: CrashScene(arguments[1], say: say))
        }
        guard arguments.count == 5, let operation = CrashOperation.named(arguments[2]), let fault = faults[arguments[3]],
            let number = Int(arguments[4])
        else {
            say("usage: crash-worker FOLDER OPERATION FAULT NUMBER")
            exit(64)
        }
        guard waxwing_fault_install() == 0 else { exit(70) }
        let scene = CrashScene(arguments[1], say: say)
        waxwing_fault_arm(fault, number)
        let isFatal = [waxwing_fault_count, waxwing_fault_kill, waxwing_fault_torn].contains(fault)
        run(operation, from: 0, in: scene)
        if isFatal { scene.close() }
        waxwing_fault_disarm()
        for (name, fault) in faults { say("passed \(name) \(waxwing_fault_passed(fault))") }
        tell(scene)
        guard !isFatal else { return }
        while let line = readLine() {
            let words = line.split(separator: " ")
            guard words.count == 2, words[0] == "go", let step = Int(words[1]) else { exit(64) }
            run(operation, from: step, in: scene)
            tell(scene)
        }
    }

    private static func run(_ operation: CrashOperation, from first: Int, in scene: CrashScene) {
        for step in first..<operation.steps.count {
            do { try operation.run(step, in: scene) } catch let error as KeyStoreError {
                return say("failed \(step) \(error.kind) \(error)")
            } catch {
                return say("failed \(step) other \(error)")
            }
            say("step \(step)")
        }
    }

    private static func keepBusy(_ work: (CrashScene) throws -> Void, in scene: CrashScene) {
        while true {
            do { try work(scene) } catch let error as KeyStoreError where [.conflict, .busy].contains(error.kind) {
                // Somebody rotated in between, or the others left no gap to get in.
                say("again")
                continue
            } catch {
                return say("failed 0 other \(error)")
            }
            say("done")
            // Else one of them would be at work all the time, and the others would wait.
            usleep(2_000)
        }
    }

    /// The state as this process sees it, and how many of its stores still have to erase something.
    private static func tell(_ scene: CrashScene) {
        if let count = try? scene.erasuresPending() { say("pending \(count)") }
        do { say("outcome \(try scene.outcome())") } catch { say("outcome error \(error)") }
    }

    /// At once and whole: nothing waits in a buffer when the process is killed.
    private static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        guard write(STDOUT_FILENO, bytes, bytes.count) == bytes.count else { _exit(74) }
    }
}
