import EnvelopeFormat
import KeyStore

/// `provision --from FILE`: many conversations, a transaction each.
struct ProvisionBatch {
    private let invocation: Invocation
    private let file: String

    /// - Throws: `usage` when options for a single conversation are given too.
    init(_ invocation: Invocation, file: String) throws(CommandError) {
        for name in ["conversation", "alg", "device", "accessible", "until"] where invocation.has(name) {
            throw invocation.usage("--from and --\(name) exclude each other")
        }
        self.invocation = invocation
        self.file = file
    }

    func run() throws -> Report {
        let bytes = try Input.read(file)
        return try invocation.change(viewing: ConversationView.list(of:)) { (sealer: SealerStore) in
            var records: [ConversationRecord] = []
            var status = ExitStatus.done
            var job = LongJob(invocation)
            for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
                guard line.contains(where: { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }) else { continue }
                guard job.goesOn("conversations", done: records.count) else {
                    status = .tryAgain
                    break
                }
                do {
                    let plan = try ProvisionPlan(line: Array(line))
                    records.append(try plan.carryOut(on: sealer, now: invocation.clock))
                } catch {
                    let failure = CommandError(reporting: error)
                    invocation.console.say("error: line \(index + 1): \(failure.message)")
                    if status == .done { status = failure.status }
                }
            }
            job.finish()
            return Report(
                lines: records.map { "\($0.conversation) \(ConversationView.sealedUnder($0))" },
                json: .members(["conversations": .list(records, ConversationView.json)]), status: status)
        }
    }
}
