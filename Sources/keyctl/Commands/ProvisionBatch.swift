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
            var lines: [ProvisionedLine] = []
            var status = ExitStatus.done
            var job = LongJob(invocation)
            for (index, line) in bytes.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
                guard line.contains(where: { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }) else { continue }
                guard job.goesOn("conversations", done: lines.count { !$0.isRefused }) else {
                    status = .tryAgain
                    break
                }
                do {
                    lines.append(try Self.carryOut(try ProvisionPlan(line: Array(line)), sealer, invocation.clock))
                } catch {
                    let failure = CommandError(reporting: error)
                    invocation.console.say("error: line \(index + 1): \(failure.message)")
                    if status == .done { status = failure.status }
                    lines.append(.refused(ProvisionPlan.conversation(inLine: Array(line)), failure, index + 1))
                }
            }
            job.finish()
            return Report(
                lines: lines.compactMap(\.text), json: .members(["conversations": .list(lines, \.json)]),
                status: status)
        }
    }

    /// Provisions it; what is there already exactly so is as good, since an interrupted job is repeated.
    private static func carryOut(_ plan: ProvisionPlan, _ sealer: SealerStore, _ now: Int64) throws -> ProvisionedLine {
        // Looked at first, so that a job that is repeated is not refused line by line.
        if let record = try? sealer.conversation(plan.conversation), try plan.isDone(record, on: sealer) {
            return .already(record)
        }
        do {
            return .made(try plan.carryOut(on: sealer, now: now))
        } catch {
            let failure = CommandError(reporting: error)
            guard failure.status == .cannotCreate, let record = try? sealer.conversation(plan.conversation) else {
                throw error
            }
            guard try plan.isDone(record, on: sealer) else {
                throw CommandError(.cannotCreate, failure.subject, "\(failure.reason), and not as this line says")
            }
            return .already(record)
        }
    }
}
