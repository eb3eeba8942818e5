import BackendJSON
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
        var (waiting, count) = (0, 0)
        if invocation.isJSON {
            try print(invocation.isDryRun ? #"{"dry_run":true,"messages":["# : #"{"messages":["#)
        } else if invocation.isDryRun {
            try print(SimulationView.rehearsed + "\n")
        }
        let result = Result {
            try device.drain(app, now: invocation.clock, remembers: !invocation.isDryRun) { message in
                if message.isWaiting { waiting += 1 }
                let value = String(decoding: json(message).write(), as: UTF8.self)
                let lines = Self.lines(message).map { $0 + "\n" }.joined()
                try print(invocation.isJSON ? (count > 0 ? "," : "") + value : lines)
                count += 1
                for text in message.unrendered { invocation.note(SimulationReasons.line(text)) }
            }
        }
        let refusedCount = try DeferredQueue(app.container + "/queue").takeRefusedCount()
        if invocation.isJSON {
            // Whatever became of it, what was begun is one document.
            try print("],\"refused\":\(refusedCount)}\n")
        } else if refusedCount > 0 {
            try print("refused when the queue was full, and lost: \(refusedCount)\n")
        }
        guard try result.get() else {
            invocation.note("another one is at it: what waits is shown there")
            return .silent(.tryAgain)
        }
        if waiting > 0 { invocation.note("\(waiting) wait on: what opens them cannot be read now") }
        return .silent(waiting > 0 ? .no : .done)
    }

    private func print(_ text: String) throws(CommandError) { try invocation.console.output.write(Array(text.utf8)) }

    private static func lines(_ message: DrainedMessage) -> [String] {
        ["\(message.outcome.rawValue), came \(Timestamp.text(message.arrival)):"] + SimulationView.text(message.text)
    }

    private func json(_ message: DrainedMessage) -> JSONValue {
        .members([
            "id": .string(message.identifier), "arrival": .integer(message.arrival),
            "outcome": .string(message.outcome.rawValue), "waiting": .bool(message.isWaiting),
            "shown": SimulationView.json(message.text),
            "texts_missing": .list(message.unrendered, SimulationView.json),
        ])
    }
}
