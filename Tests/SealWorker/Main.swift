import EnvelopeFormat
import Glibc
import KeyStore
import Sealer

/// A process of its own for the tests of sealing: it opens a store, stays up, and does what is written to its input, one
/// command a line. Its answer is any number of lines, the last of them `done` or `error` and why.
///
/// `seal-worker STORE exact|doubling`; the commands are the cases of ``Worker/answer(_:)``.
@main
enum Main {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3, let leasing = leasing(arguments[2]) else {
            Answer.say("usage: seal-worker STORE exact|doubling")
            exit(64)
        }
        do {
            try ProcessHardening.apply()
            let worker = try Worker(store: arguments[1], leasing: leasing)
            Answer.say("done")
            while let line = readLine() { Answer.end { try worker.answer(line) } }
        } catch {
            Answer.say("error \(error)")
            exit(1)
        }
    }

    private static func leasing(_ word: String) -> Leasing? {
        switch word {
        case "exact": .exact
        case "doubling": .doubling
        default: nil
        }
    }
}
