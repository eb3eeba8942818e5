/// Why a command did not do what it was asked: the exit code, on which thing, why, and what to do.
///
/// It is printed as `keyctl: error: SUBJECT: REASON` and `keyctl: hint: HINT`, so it never holds secrets or input.
struct CommandError: Error, Equatable, Sendable {
    let status: ExitStatus
    /// The thing it happened to; nil where the reason says it.
    let subject: String?
    let reason: String
    let hint: String?

    init(_ status: ExitStatus, _ subject: String?, _ reason: String, hint: String? = nil) {
        self.status = status
        self.subject = subject
        self.reason = reason
        self.hint = hint
    }

    /// A command line that cannot be obeyed.
    static func usage(_ subject: String?, _ reason: String, hint: String? = nil) -> CommandError {
        CommandError(.usage, subject, reason, hint: hint)
    }

    /// Whether it is that nobody reads any more, which is not worth a message.
    var isOfNoReader: Bool { reason == Output.brokenPipe }

    /// The message without the program's name. What has an empty name is named as it was written.
    var message: String { subject.map { "\($0.isEmpty ? "''" : $0): \(reason)" } ?? reason }
}
