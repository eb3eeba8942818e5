/// Where results and messages go: the result to standard output, everything else to standard error.
final class Console: Sendable {
    let programName: String
    let output: Output
    let messages: Output
    private let hints: HintCommands?

    /// - Parameter hints: what makes the command lines in hints whole; nil to leave them as they are.
    init(programName: String, output: Output = .standard, messages: Output = .error, hints: HintCommands? = nil) {
        self.hints = hints
        self.programName = programName
        self.output = output
        self.messages = messages
    }

    /// `waxctl` where the program was called so, `keyctl` for any other name.
    static func programName(from path: String?) -> String {
        let last = path?.split(separator: "/").last.map(String.init)
        return last == "waxctl" ? "waxctl" : "keyctl"
    }

    /// One line on standard error. A standard error that cannot be written to changes no result.
    func say(_ text: String) {
        try? messages.write(Array("\(programName): \(PrintableText.escape(text))\n".utf8))
    }

    /// Says what went wrong, on which thing, why; and what to do.
    func report(_ error: CommandError) {
        if error.isOfNoReader { return }
        say("error: \(error.message)")
        if let hint = error.hint { self.hint(hint) }
    }

    /// Says what to do.
    func hint(_ text: String) { say("hint: \(hints?.complete(text) ?? text)") }
}
