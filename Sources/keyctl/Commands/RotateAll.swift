import BackendJSON
import EnvelopeFormat
import KeyStore

/// `rotate --all`: every conversation, some hundred in a transaction.
struct RotateAll {
    private let invocation: Invocation
    private let rotation: Rotation
    /// Seconds; nil for any age.
    private let olderThan: Int64?

    init(_ invocation: Invocation, _ rotation: Rotation) throws(CommandError) {
        self.invocation = invocation
        self.rotation = rotation
        olderThan = try invocation.timeSpan("older-than")
    }

    func run() throws -> Report {
        try invocation.change(viewing: ConversationView.firstPage(of:)) { (sealer: SealerStore) in
            let run = try sealer.beginRotation(
                rotation.kind, olderThan: olderThan, promoteAfter: rotation.promoteAfter, now: invocation.clock)
            if let after = run.after {
                invocation.note("going on after \(after), where the run of \(Timestamp.text(run.started)) was interrupted")
            }
            var results = RunResults(invocation)
            var passedOver = PassedOverCount(invocation, isRekey: rotation.isRekey)
            var status = ExitStatus.done
            var (looked, rotated) = (0, 0)
            var job = LongJob(invocation, printsMeanwhile: true)
            let total = try sealer.conversationCount()
            while job.goesOn("conversations", done: looked, changed: rotated, of: run.after == nil ? total : nil) {
                let batch = try sealer.rotateSome(run, now: invocation.clock)
                looked += batch.count
                rotated += batch.rotated.count
                if !batch.failures.isEmpty { job.finish() }
                for failure in batch.failures.map({ CommandError(reporting: $0.error) }) {
                    invocation.console.report(failure)
                    if status == .done { status = failure.status }
                }
                try results.add(batch.rotated, of: sealer)
                passedOver.add(batch.passedOver)
                // A rehearsal is one transaction, which all others wait for.
                if batch.isLast || invocation.isDryRun && looked >= Page.size {
                    job.finish()
                    let missed = passedOver.tell()
                    return results.report(status == .done ? missed : status, passedOver)
                }
            }
            sealer.store.eraseDeleted()
            _ = passedOver.tell()
            return results.report(.tryAgain, passedOver)
        }
    }
}

/// The lines of `rotate --all`: printed as they come, or with `--json` gathered for one document.
private struct RunResults {
    private let invocation: Invocation
    private var json: [JSONValue] = []

    init(_ invocation: Invocation) { self.invocation = invocation }

    mutating func add(_ rotated: [RotationBatch.Rotated], of sealer: SealerStore) throws {
        guard !invocation.isDryRun else { return }
        guard invocation.isJSON else {
            let lines = rotated.map { result in
                ([result.conversation.string] + Self.names(result)).joined(separator: " ") + "\n"
            }
            return try invocation.console.output.write(Array(lines.joined().utf8))
        }
        json += rotated.map { result in
            .members([
                "conversation": .string(result.conversation.string), "kid": .string(result.activeName),
                "waiting": result.waitingName.map { .string($0) } ?? .null,
            ])
        }
    }

    func report(_ status: ExitStatus, _ passedOver: PassedOverCount) -> Report {
        guard invocation.isJSON else { return .silent(status) }
        return Report(lines: [], json: .members(["conversations": .array(json), "passed_over": passedOver.json]), status: status)
    }

    private static func names(_ result: RotationBatch.Rotated) -> [String] {
        [result.activeName] + (result.waitingName.map { [$0] } ?? [])
    }
}
