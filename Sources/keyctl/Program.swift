import BackendJSON
import EnvelopeFormat
import KeyStore

/// One run: parse, dispatch, print, exit code.
struct Program: Sendable {
    let console: Console
    let table: CommandTable

    /// Runs a command line without the program's name; every error has been reported when it returns.
    func run(_ words: [String]) -> ExitStatus {
        do {
            return try dispatch(words)
        } catch {
            let failure = CommandError(reporting: error)
            console(for: nil).report(failure)
            return failure.status
        }
    }

    /// One whose hints are for the store that was named.
    private func console(for store: String?) -> Console {
        let hints = HintCommands(programName: console.programName, table: table, store: store)
        return Console(
            programName: console.programName, output: console.output, messages: console.messages, hints: hints)
    }

    private func dispatch(_ words: [String]) throws -> ExitStatus {
        let parsed = try CommandLineParser(table: table).parse(words)
        if parsed.has("help") {
            let help = HelpText(table: table, programName: console.programName)
            try console.output.write(Array(help.text(for: parsed.path).utf8))
            return .done
        }
        if parsed.has("version") {
            let version = JSONValue.members([
                "program": .string(console.programName), "version": .string(Version.current),
            ])
            var report = Report(lines: ["\(console.programName) \(Version.current)"], json: version)
            try report.print(to: console.output, asJSON: parsed.has("json"))
            return report.status
        }
        guard let command = parsed.command else { return .usage }
        return run(command, parsed)
    }

    private func run(_ command: Command, _ parsed: ParsedCommandLine) -> ExitStatus {
        let console = console(for: parsed.options["store"]?.last)
        let invocation = Invocation(parsed, of: command, console: console, table: table)
        do {
            return try print(try command.run(invocation), of: invocation)
        } catch {
            let failure = Self.failure(error, of: command)
            console.report(failure)
            return failure.status
        }
    }

    /// What a command changed is changed whether its result can be printed or not.
    private func print(_ report: Report, of invocation: Invocation) throws(CommandError) -> ExitStatus {
        var report = report
        do throws(CommandError) {
            try report.print(to: console.output, asJSON: invocation.isJSON)
        } catch {
            guard invocation.command.changesState, !invocation.isDryRun, report.status == .done, !error.isOfNoReader else { throw error }
            throw CommandError(
                error.status, error.subject,
                "\(error.reason); what was to be done is done, and only its result is not printed")
        }
        return report.status
    }

    /// A phone's keychain has a code for what is locked, by which its engineers know it.
    private static func failure(_ error: any Error, of command: Command) -> CommandError {
        guard command.role == .device, let error = error as? KeyStoreError, error.kind == .locked else {
            return CommandError(reporting: error)
        }
        return CommandError(reporting: error, as: error.keychainStatus)
    }
}
