import Glibc
import OpenerNSE

/// `telemetry`: what an extension's events come to.
enum TelemetryCommand {
    static let row = Command(
        "telemetry", "rates and latencies out of the events that extensions wrote",
        details: [
            "The input is one event a line, of one phone or of many, in any order. An extension writes into "
                + "\(TelemetryRing.fileNames[0]) of the shared container, and keeps what was full before as "
                + "\(TelemetryRing.fileNames[1]): with --store and no FILE both are counted, of the folder container of that store. "
                + "Opening and images are counted apart "
                + "from delivery, which takes place in any case. A line that is no event is passed over and counted; "
                + "where there is no other, the exit code is 65."
        ],
        arguments: [.input("the events")],
        example: "telemetry telemetry.ndjson", role: .none, run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        let paths = try paths(invocation)
        var inputs = try paths.map { path throws(CommandError) in try LineInput(path) }[...]
        var report = TelemetryReport()
        var unreadableCount = 0
        var job = LongJob(invocation, hint: LongJob.startsAnew)
        defer { job.finish() }
        var count = 0
        while job.goesOn("lines", done: count) {
            guard let line = try inputs.first?.next() else {
                if inputs.first?.isInterrupted == true { continue }
                inputs = inputs.dropFirst()
                guard inputs.isEmpty else { continue }
                guard count == 0 || unreadableCount < count else {
                    throw CommandError(.badInput, paths.last == "-" ? "standard input" : paths.last, "no line of it is an event")
                }
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

    /// What is read, the oldest first. That a store is named by the environment says nothing of where events are.
    private static func paths(_ invocation: Invocation) throws(CommandError) -> [String] {
        guard invocation.has("store") else { return [invocation.inputPath] }
        guard invocation.arguments.isEmpty else { throw invocation.usage("--store says where the events are: give no FILE, or no --store") }
        let container = try invocation.storeDirectory() + "/container/"
        let (current, before) = (container + TelemetryRing.fileNames[0], container + TelemetryRing.fileNames[1])
        guard access(before, F_OK) == 0 else { return [current] }
        return access(current, F_OK) == 0 ? [before, current] : [before]
    }
}
