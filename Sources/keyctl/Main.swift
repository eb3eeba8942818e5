import Glibc
import KeyStore

/// The entry: makes the process fit to hold keys, then hands over to the command table.
@main
enum Main {
    static func main() {
        StandardStreams.hold()
        let console = Console(programName: Console.programName(from: CommandLine.arguments.first))
        let arguments = given(console)
        SessionAgent.serveIfAsked(arguments)
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

    /// The command line; the program ends here when it or the store's name in the environment is no text.
    private static func given(_ console: Console) -> [String] {
        do throws(CommandError) {
            _ = try GivenText.variable(GivenText.storeVariable)
            return try GivenText.arguments()
        } catch {
            console.report(error)
            exit(error.status.rawValue)
        }
    }
}
