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
            console.report(failure)
            return failure.status
        }
    }

    private func dispatch(_ words: [String]) throws -> ExitStatus {
        let parsed = try CommandLineParser(table: table).parse(words)
        if parsed.has("help") {
            let help = HelpText(table: table, programName: console.programName)
            try console.output.write(Array(help.text(for: parsed.path).utf8))
            return .done
        }
        if parsed.has("version") {
            try console.output.write(Array("\(console.programName) \(Version.current)\n".utf8))
            return .done
        }
        guard let command = parsed.command else { return .usage }
        let invocation = Invocation(parsed, of: command, console: console, table: table)
        var report: Report
        do { report = try command.run(invocation) } catch let error as KeyStoreError {
            // A phone's keychain has a code for it, by which its engineers know it.
            guard command.role == .device, error.kind == .locked else { throw error }
            throw CommandError(reporting: error, as: error.keychainStatus)
        }
        try report.print(to: console.output, asJSON: invocation.isJSON)
        return report.status
    }
}
