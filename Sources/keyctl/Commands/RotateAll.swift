import EnvelopeFormat
import KeyStore

/// `rotate --all`: every conversation, a transaction each.
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
        try invocation.change(viewing: ConversationView.list(of:)) { (sealer: SealerStore) in
            let now = invocation.clock
            let due = try sealer.conversations().filter { isDue($0, now: now) }
            var rotated: [ConversationResult] = []
            var status = ExitStatus.done
            var job = LongJob(invocation)
            for record in due {
                guard job.goesOn("conversations", done: rotated.count, of: due.count) else {
                    status = .tryAgain
                    break
                }
                do {
                    rotated.append(try rotation.carryOut(on: sealer, record.conversation, now: now))
                } catch {
                    let failure = CommandError(reporting: error)
                    invocation.console.report(failure)
                    if status == .done { status = failure.status }
                }
            }
            job.finish()
            return Report(
                lines: rotated.map { ([$0.conversation.string] + $0.kids).joined(separator: " ") },
                json: .members(["conversations": .list(rotated, \.json)]), status: status)
        }
    }

    /// Whether it has an active secret of that age.
    ///
    /// Passed over is what has none, what waits for a rekey already (so that an interrupted job goes on where it was),
    /// and of a ratchet what knows no epochs.
    private func isDue(_ record: ConversationRecord, now: Int64) -> Bool {
        if rotation.isRekey, !rotation.restart, record.waiting != nil { return false }
        if !rotation.isRekey, record.algorithm == .split { return false }
        guard let active = record.handles.first(where: { $0.state == .active }) else { return false }
        return olderThan.map { now - (active.epochStartedAt ?? active.created) >= $0 } ?? true
    }
}
