import BackendJSON
import EnvelopeFormat

/// What became of the lines of `provision --from`: printed as it comes, or with `--json` gathered for one document.
struct ProvisionOutcome {
    private let invocation: Invocation
    private var status = ExitStatus.done
    private var json: [JSONValue] = []
    /// The number of lines whose conversation is there.
    private(set) var doneCount = 0
    /// Whether a line was refused so far.
    private(set) var saidSomething = false

    init(_ invocation: Invocation) { self.invocation = invocation }

    mutating func add(_ line: ProvisionedLine) throws(CommandError) {
        if case .refused(_, let error, let number) = line {
            invocation.console.say("error: line \(number): \(error.message)")
            saidSomething = true
            if status == .done { status = error.status }
        } else {
            doneCount += 1
        }
        if invocation.isJSON {
            json.append(line.json)
        } else if let text = line.text, !invocation.isDryRun {
            try invocation.console.output.write(Array((PrintableText.escape(text) + "\n").utf8))
        }
    }

    /// - Parameter end: how the job ended, when not with its last line.
    func report(_ end: ExitStatus? = nil) -> Report {
        guard invocation.isJSON else { return .silent(end ?? status) }
        return Report(lines: [], json: .members(["conversations": .array(json)]), status: end ?? status)
    }
}
