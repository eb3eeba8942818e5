import Glibc
import KeyStore

/// The entry: makes the process fit to hold keys, then hands over to the command table.
@main
enum Main {
    static func main() {
        StandardStreams.hold()
        let arguments = Array(CommandLine.arguments.dropFirst())
        SessionAgent.serveIfAsked(arguments)
        let console = Console(programName: Console.programName(from: CommandLine.arguments.first))
        do {
            try ProcessHardening.apply()
        } catch {
            console.say("error: this process cannot be closed to others: \(error)")
            exit(ExitStatus.unavailable.rawValue)
        }
        // A reader that went away is an error to be reported by its number, not a death by signal.
        signal(SIGPIPE, SIG_IGN)
        exit(Program(console: console, table: CommandTable.standard).run(arguments).rawValue)
    }
}
