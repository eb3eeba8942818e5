import OpenerNSE

/// `telemetry`: what an extension's events come to.
enum TelemetryCommand {
    static let row = Command(
        "telemetry", "rates and latencies out of the events that extensions wrote",
        details: [
            "The input is one event a line, of one phone or of many, in any order. An extension writes into "
                + "\(TelemetryRing.fileNames[0]) of the shared container, and keeps what was full before as "
                + "\(TelemetryRing.fileNames[1]): to count both, send them into standard input by cat. Opening and images are counted apart "
                + "from delivery, which takes place in any case. A line that is no event is passed over and counted."
        ],
        arguments: [.input("the events")],
        example: "telemetry telemetry.ndjson", role: .none, run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        let input = try LineInput(invocation.inputPath)
        var report = TelemetryReport()
        var unreadableCount = 0
        var job = LongJob(invocation, hint: LongJob.startsAnew)
        defer { job.finish() }
        var count = 0
        while job.goesOn("lines", done: count) {
            guard let line = try input.next() else {
                if input.isInterrupted { continue }
                return TelemetryView.view(of: report, unreadableCount: unreadableCount).report
            }
            count += 1
            guard case .text(let bytes) = line, let event = TelemetryLine(bytes) else {
                unreadableCount += 1
                continue
            }
            report.add(event)
        }
        return .silent(.tryAgain)
    }
}
