import EnvelopeFormat
import OpenerNSE
import Simulator

/// `simulate --drain`: the app at the front.
struct SimulateDrain {
    private let invocation: Invocation
    private let app: SimulatedApp

    init(_ invocation: Invocation, _ app: SimulatedApp) {
        self.invocation = invocation
        self.app = app
    }

    /// Prints each message before it is confirmed, so that one that was printed nowhere is there the next time.
    func run(on device: SimulatedDevice) throws -> Report {
        var waiting = 0
        if invocation.isDryRun, !invocation.isJSON {
            var report = View(lines: [SimulationView.rehearsed], json: .null).report(.done)
            try report.print(to: invocation.console.output, asJSON: false)
        }
        try device.drain(app, now: invocation.clock, remembers: !invocation.isDryRun) { message in
            if message.isWaiting { waiting += 1 }
            var report = View(lines: Self.lines(message), json: json(message)).report(.done)
            try report.print(to: invocation.console.output, asJSON: invocation.isJSON)
            for text in message.unrendered { invocation.note(SimulationReasons.line(text)) }
        }
        let refusedCount = try DeferredQueue(app.container + "/queue").takeRefusedCount()
        if refusedCount > 0 {
            var report = View(
                lines: ["refused when the queue was full, and lost: \(refusedCount)"],
                json: .members(["dry_run": invocation.isDryRun ? .bool(true) : nil, "refused": .integer(refusedCount)])
            ).report(.done)
            try report.print(to: invocation.console.output, asJSON: invocation.isJSON)
        }
        if waiting > 0 { invocation.note("\(waiting) wait on: what opens them cannot be read now") }
        return .silent(waiting > 0 ? .no : .done)
    }

    private static func lines(_ message: DrainedMessage) -> [String] {
        ["\(message.outcome.rawValue), came \(Timestamp.text(message.arrival)):"] + SimulationView.text(message.text)
    }

    private func json(_ message: DrainedMessage) -> JSONValue {
        .members([
            "dry_run": invocation.isDryRun ? .bool(true) : nil,
            "id": .string(message.identifier), "arrival": .integer(message.arrival),
            "outcome": .string(message.outcome.rawValue), "waiting": .bool(message.isWaiting),
            "shown": SimulationView.json(message.text),
            "texts_missing": .list(message.unrendered, SimulationView.json),
        ])
    }
}
