import BackendJSON
import EnvelopeFormat
import KeyStore
import Simulator

/// `open`: opens a payload as the extension on the phone would.
enum OpenCommand {
    static let row = Command(
        "open", "open a payload on a device store: the outcome, then what is shown",
        details: [
            "Reads an APNs payload, an FCM message, or its bare data object. It remembers what it opened, so that a "
                + "second time is a duplicate; --dry-run does not. The exit code is 0 when it opened, else 1."
        ],
        arguments: [.input("the payload")],
        options: [
            OptionSpec("now", "T", "with --dry-run: the time to open at, seconds since 1970 or RFC 3339"),
            OptionSpec("limit", "N", "the limit of the payload in bytes, 5120 if not given"),
        ],
        example: "open --store phone push.apns", role: .device, changesState: true, run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        let now = try invocation.time("now")
        guard now == nil || invocation.isDryRun else {
            throw invocation.usage("--now needs --dry-run", hint: "a store remembers what it opened by its own clock")
        }
        let limit = try invocation.wholeNumber("limit") ?? 5_120
        guard let limit = Int(exactly: limit), limit > 0 else { throw invocation.usage("--limit is not above 0") }
        let device = try invocation.openDeviceStore()
        let payload = try Input.readLine(invocation.inputPath)
        let opening = SimulatedDevice(device).open(
            payload, now: now ?? invocation.clock, limit: limit, remembers: !invocation.isDryRun)
        if let failure = opening.failure { invocation.console.report(CommandError(reporting: failure)) }
        let status = opening.outcome == .keyLocked ? KeychainStatus.interactionNotAllowed : nil
        if let status { invocation.note("the key is there, but locked away: \(status)") }
        let isOpened = opening.outcome == .opened
        let shown = opening.shown
        let json = JSONValue.members([
            "outcome": .string(opening.outcome.rawValue),
            "os_status": status.map { .integer(Int($0.rawValue)) },
            "replay_unchecked": opening.isReplayUnchecked ? .bool(true) : nil,
            "content": opening.content?.json,
            "shown": .members([
                "title": shown.title.map { .string($0) } ?? .null, "body": shown.body.map { .string($0) } ?? .null,
            ]),
        ])
        let outcome = opening.outcome.rawValue + (opening.isReplayUnchecked ? " replay-unchecked" : "")
        let lines = [outcome, shown.title, shown.subtitle, shown.body].compactMap(\.self)
        return Report(lines: lines, json: json, status: isOpened ? .done : .no)
    }
}
