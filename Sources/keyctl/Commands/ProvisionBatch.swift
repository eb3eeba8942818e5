import BackendJSON
import EnvelopeFormat
import KeyStore

/// `provision --from FILE`: many conversations, some hundred in a transaction.
struct ProvisionBatch {
    /// So many lines are read ahead.
    private static let linesAtOnce = 512
    /// And no more when they are that long.
    private static let bytesAtOnce = 4 << 20

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
        let store = try invocation.openStore()
        var listed = ListedConversations()
        guard invocation.isDryRun else { return report(of: input, on: try SealerStore(store), &listed) }
        return try store.rehearse { rehearsed in
            let sealer = try SealerStore(rehearsed)
            let report = report(of: input, on: sealer, &listed)
            return Invocation.dryRunReport(
                before: listed.before, after: try listed.after(in: sealer), status: report.status)
        }
    }

    /// What became of the lines is told also when the job ends before the last of them.
    private func report(of input: LineInput, on sealer: SealerStore, _ listed: inout ListedConversations) -> Report {
        var outcome = ProvisionOutcome(invocation)
        do {
            let isDone = try work(through: input, on: sealer, &outcome, &listed)
            return outcome.report(isDone ? nil : .tryAgain)
        } catch {
            let failure = CommandError(reporting: error)
            invocation.console.report(failure)
            return outcome.report(failure.status)
        }
    }

    /// - Returns: false when it was interrupted, which has then been said.
    private func work(
        through input: LineInput, on sealer: SealerStore, _ outcome: inout ProvisionOutcome,
        _ listed: inout ListedConversations
    ) throws -> Bool {
        var job = LongJob(invocation, printsMeanwhile: true)
        defer { job.finish() }
        var waiting: [Line] = []
        var number = 0
        var devices = DeviceLookup()
        while job.goesOn("conversations", done: outcome.doneCount) {
            var byteCount = waiting.reduce(0) { $0 + $1.text.count }
            while waiting.count < Self.linesAtOnce, byteCount < Self.bytesAtOnce, let line = try input.next() {
                number += 1
                switch line {
                case .tooLong: waiting.append(Line(number: number, text: [], plan: .failure(LineInput.tooLong)))
                case .text(let text) where text.contains { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }:
                    byteCount += text.count
                    waiting.append(try read(text, number, &devices, sealer))
                case .text: break
                }
            }
            guard !waiting.isEmpty else {
                if input.isInterrupted { continue }
                return true
            }
            if invocation.isDryRun {
                for line in waiting {
                    if case .success(let (plan, _)) = line.plan { try listed.add(plan.conversation, in: sealer) }
                }
            }
            let count = try carryOut(waiting, on: sealer, &outcome)
            if outcome.saidSomething { job.finish() }
            waiting.removeFirst(count)
        }
        return false
    }

    /// - Throws: what is wrong with the store and not with the line.
    private func read(
        _ text: [UInt8], _ number: Int, _ devices: inout DeviceLookup, _ sealer: SealerStore
    ) throws -> Line {
        let plan: Result<(ProvisionPlan, Provisioning), CommandError>
        do {
            let read = try ProvisionPlan(try JSONValue.parse(text))
            let provisioning = try read.provisioning {
                try devices.thumbprint($0, of: read.conversation, in: sealer, now: invocation.clock)
            }
            plan = .success((read, provisioning))
        } catch {
            let failure = CommandError(reporting: error)
            guard [.badInput, .notFound].contains(failure.status) else { throw failure }
            plan = .failure(failure)
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
