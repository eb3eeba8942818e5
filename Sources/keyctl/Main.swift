import Glibc

/// The entry: makes the process fit to hold keys, then hands over to the command table.
@main
enum Main {
    static func main() {
        // A reader that went away is an error to be reported by its number, not a death by signal.
        signal(SIGPIPE, SIG_IGN)
        let arguments = CommandLine.arguments
        let console = Console(programName: Console.programName(from: arguments.first))
        let program = Program(console: console, table: CommandTable.standard)
        exit(program.run(Array(arguments.dropFirst())).rawValue)
    }
}
