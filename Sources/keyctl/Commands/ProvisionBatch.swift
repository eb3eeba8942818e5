import EnvelopeFormat
import KeyStore

/// `provision --from FILE`: many conversations, some hundred in a transaction.
struct ProvisionBatch {
    /// So many lines are read ahead.
    private static let linesAtOnce = 256

    private let invocation: Invocation
    private let file: String

    /// A line that says something: its number, and what it asks for or why it does not.
    private struct Line {
        let number: Int
        let text: ArraySlice<UInt8>
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
        let bytes = try Input.read(file)
        return try invocation.change(viewing: ConversationView.firstPage(of:)) { (sealer: SealerStore) in
            var outcome = ProvisionOutcome(invocation)
            var job = LongJob(invocation)
            var waiting: [Line] = []
            var number = 0
            var rest = bytes[...]
            while !rest.isEmpty || !waiting.isEmpty {
                guard job.goesOn("conversations", done: outcome.doneCount) else { return outcome.report(.tryAgain) }
                while waiting.count < Self.linesAtOnce, !rest.isEmpty {
                    let text = rest.prefix { $0 != 0x0A }
                    rest = rest[text.endIndex...].dropFirst()
                    number += 1
                    if text.contains(where: { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }) {
                        waiting.append(Self.read(text, number, sealer))
                    }
                }
                let count = try carryOut(waiting, on: sealer, &outcome)
                if outcome.saidSomething { job.finish() }
                waiting.removeFirst(count)
            }
            job.finish()
            return outcome.report()
        }
    }

    private static func read(_ text: ArraySlice<UInt8>, _ number: Int, _ sealer: SealerStore) -> Line {
        let plan: Result<(ProvisionPlan, Provisioning), CommandError>
        do {
            let read = try ProvisionPlan(line: Array(text))
            plan = .success((read, try read.provisioning(on: sealer)))
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
        .refused(ProvisionPlan.conversation(inLine: Array(line.text)), error, line.number)
    }
}
