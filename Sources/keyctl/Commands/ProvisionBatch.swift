import EnvelopeFormat
import KeyStore

/// `provision --from FILE`: many conversations, some hundred in a transaction.
struct ProvisionBatch {
    /// So many lines are read ahead.
    private static let linesAtOnce = 512

    private let invocation: Invocation
    private let file: String

    /// A line that says something: its number, and what it asks for or why it does not.
    private struct Line {
        let number: Int
        let text: [UInt8]
        let plan: Result<(ProvisionPlan, Provisioning), CommandError>
    }

    /// - Throws: `usage` when options for a single conversation are given too.
    init(_ invocation: Invocation, file: String) throws(CommandError) {
        for name in ["conversation", "alg", "device", "accessible", "until"] where invocation.has(name) {
            throw invocation.usage("--from and --\(name) exclude each other")
        }
        self.invocation = invocation
        self.file = file
    }

    func run() throws -> Report {
        let input = try LineInput(file)
        return try invocation.change(viewing: ConversationView.firstPage(of:)) { (sealer: SealerStore) in
            var outcome = ProvisionOutcome(invocation)
            var job = LongJob(invocation)
            var waiting: [Line] = []
            var number = 0
            var devices = DeviceLookup()
            var isAtEnd = false
            while true {
                guard job.goesOn("conversations", done: outcome.doneCount) else { return outcome.report(.tryAgain) }
                while waiting.count < Self.linesAtOnce, !isAtEnd {
                    guard let text = try input.next() else {
                        isAtEnd = true
                        break
                    }
                    number += 1
                    if text.contains(where: { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }) {
                        waiting.append(Self.read(text, number, &devices, sealer))
                    }
                }
                guard !waiting.isEmpty else { break }
                let count = try carryOut(waiting, on: sealer, &outcome)
                if outcome.saidSomething { job.finish() }
                waiting.removeFirst(count)
            }
            job.finish()
            return outcome.report()
        }
    }

    private static func read(
        _ text: [UInt8], _ number: Int, _ devices: inout DeviceLookup, _ sealer: SealerStore
    ) -> Line {
        let plan: Result<(ProvisionPlan, Provisioning), CommandError>
        do {
            let read = try ProvisionPlan(line: text)
            plan = .success((read, try read.provisioning { try devices.thumbprint($0, in: sealer) }))
        } catch {
            plan = .failure(CommandError(reporting: error))
        }
        return Line(number: number, text: text, plan: plan)
    }

    /// Carries out the first lines, and returns how many.
    private func carryOut(
        _ lines: [Line], on sealer: SealerStore, _ outcome: inout ProvisionOutcome
    ) throws -> Int {
        let plans = lines.compactMap { try? $0.plan.get().1 }
        var made = try sealer.provision(plans, now: invocation.clock)[...]
        for (index, line) in lines.enumerated() {
            switch line.plan {
            case .failure(let error): try outcome.add(refused(line, error))
            case .success(let (plan, _)):
                guard let result = made.popFirst() else { return index }
                try outcome.add(judged(result, of: line, plan, on: sealer))
            }
        }
        return lines.count
    }

    /// What is there already exactly so is as good, since an interrupted job is repeated.
    private func judged(
        _ result: Result<ConversationRecord, KeyStoreError>, of line: Line, _ plan: ProvisionPlan,
        on sealer: SealerStore
    ) throws -> ProvisionedLine {
        switch result {
        case .success(let record): return .made(record)
        case .failure(let error):
            let failure = CommandError(reporting: error)
            guard error.kind == .alreadyExists, let record = try? sealer.conversation(plan.conversation) else {
                return refused(line, failure)
            }
            if try plan.isDone(record, on: sealer) { return .already(record) }
            return refused(
                line, CommandError(.cannotCreate, failure.subject, "\(failure.reason), and not as this line says"))
        }
    }

    private func refused(_ line: Line, _ error: CommandError) -> ProvisionedLine {
        .refused(ProvisionPlan.conversation(inLine: line.text), error, line.number)
    }
}
