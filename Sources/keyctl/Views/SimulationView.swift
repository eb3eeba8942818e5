import BackendJSON
import EnvelopeFormat
import Glibc
import OpenerNSE
import Simulator

/// A notification before and after the extension, as a person sees it.
enum SimulationView {
    /// What never reaches the extension.
    static func view(of file: APNsFile, obstacle: APNsFile.Obstacle) -> View {
        View(
            lines: ["before:"] + before(file) + ["after:", "  as it came: \(neverAsked(obstacle))"],
            json: .members([
                "app": app(file), "before": json(file), "after": .null, "ending": .string("not-asked"),
                "reason": .string(obstacle.description),
            ]))
    }

    /// What never reaches the phone.
    static func view(undelivered reason: String) -> View {
        View(
            lines: ["before:", "  (nothing)", "after:", "  (nothing: it never arrives: \(reason))"],
            json: .members([
                "before": .null, "after": .null, "ending": .string("not-delivered"), "reason": .string(reason),
            ]))
    }

    /// - Parameters:
    ///   - refused: files of templates that are no use.
    ///   - isRehearsed: whether nothing of it is kept, its image neither.
    static func view(
        of file: APNsFile, _ result: ExtensionSimulation.Result, refused: [TemplateError], isRehearsed: Bool
    ) -> View {
        let facts = facts(result)
        return View(
            lines: (isRehearsed ? [rehearsed] : []) + ["before:"] + before(file) + ["after:"] + after(result, file, isRehearsed)
                + facts.prefix(1) + refusedFiles(refused)
                + ["events:"] + facts.dropFirst().map { "  \($0)" },
            json: .members([
                "dry_run": isRehearsed ? .bool(true) : nil, "before": json(file),
                "after": result.shown.map { json($0, file, isRehearsed) } ?? .null, "app": app(file),
                "queue": json(result.queueing),
                "templates_refused": .list(refused) { error in
                    .members([
                        "file": .string(error.file), "key": error.key.map { .string($0) } ?? .null, "reason": .string(error.reason),
                    ])
                },
                "texts_missing": .list(result.unrendered, json),
                "ending": .string(ending(result.ending).word), "ms": .integer(milliseconds(result.elapsed)),
                "peak_bytes": .integer(result.peakByteCount),
                "events": .list(result.events) { .string(event($0.event)) },
            ]))
    }

    /// What stands above that which nothing is kept of.
    static let rehearsed = "dry run: nothing is kept"

    /// A text that the app's templates do not give.
    static func json(_ text: UnrenderedText) -> JSONValue {
        .members(["key": .string(text.key), "reason": .string(text.reason)])
    }

    /// How it ended, and then the events.
    static func facts(_ result: ExtensionSimulation.Result) -> [String] {
        let (time, memory) = (milliseconds(result.elapsed), megabytes(result.peakByteCount))
        let most = result.peakByteCount > 0 ? ", at most \(memory) MB" : ""
        return ["\(ending(result.ending).text), after \(time) ms\(most)"] + result.events.map { event($0.event) }
    }

    static func neverAsked(_ obstacle: APNsFile.Obstacle) -> String { "the extension is never asked: \(obstacle)" }

    static func refusedFiles(_ errors: [TemplateError]) -> [String] { errors.map { "templates refused: \($0)" } }

    private static func before(_ file: APNsFile) -> [String] {
        received(file) + (file.app.map { ["  (for the app \($0))"] } ?? [])
            + notes(file.quietDetails).map { "  (\($0))" }
    }

    private static func after(_ result: ExtensionSimulation.Result, _ file: APNsFile, _ isRehearsed: Bool) -> [String] {
        guard let shown = result.shown else { return ["  as it came: the extension has shown nothing"] }
        var lines = shown.base == .received ? ["  as it came"] : text(shown.text)
        if let image = shown.attachment {
            let place = isRehearsed ? "" : ", \(image.path)"
            lines.append("  image: \(image.type.rawValue)\(place)\(image.unscaled.map { ", as it was fetched: \($0.rawValue)" } ?? "")")
        }
        return lines + notes(shown, result, file, isRehearsed: isRehearsed).map { "  (\($0))" }
    }

    static func notes(_ details: QuietDetails) -> [String] {
        let texts = details.members.map { "\($0.name) \($0.value.text ?? String(decoding: $0.value.write(), as: UTF8.self))" }
        return texts.isEmpty ? [] : [texts.joined(separator: ", ")]
    }

    /// What cannot be seen of what is shown: why it is the placeholder, whether it was shown before, what it has beside text and image.
    static func notes(
        _ shown: ShownNotification, _ result: ExtensionSimulation.Result, _ file: APNsFile, isRehearsed: Bool = false
    ) -> [String] {
        var notes: [String] = []
        if shown.base == .placeholder {
            let why = shown.outcome == .timeExpired ? "the time was up before it opened" : "it did not open: \(shown.outcome.rawValue)"
            notes.append("the placeholder: \(why)")
        }
        if let queueing = result.queueing { notes.append(words(queueing, isRehearsed)) }
        if shown.outcome == .duplicate { notes.append("duplicate: it opened before, and makes no sound") }
        if shown.isReplayUnchecked { notes.append("replay-unchecked: nothing says that it is the first time") }
        if shown.isSuppressible { notes.append("it may be held back: it was shown before") }
        return notes + Self.notes(file.quietDetails.kept(by: shown))
    }

    private static func words(_ queueing: Queueing, _ isRehearsed: Bool) -> String {
        switch queueing {
        case .queued: isRehearsed ? "would be queued" : "queued: its app opens it with --drain"
        case .alreadyQueued: "already queued: the same bytes wait for --drain"
        case .notQueued(.full): "not queued: the queue is full; the message is lost"
        case .notQueued(.storage): "not queued: the queue in the shared container cannot be written; the message is lost"
        }
    }

    private static func json(_ queueing: Queueing?) -> JSONValue {
        switch queueing {
        case nil: .null
        case .queued: .string("queued")
        case .alreadyQueued: .string("already-queued")
        case .notQueued(let reason): .string("not-queued: \(reason.rawValue)")
        }
    }

    private static func app(_ file: APNsFile) -> JSONValue { file.app.map { .string($0) } ?? .null }

    private static func json(_ file: APNsFile) -> JSONValue {
        .object((json(file.received).members ?? []) + [JSONMember("quiet_details", .object(file.quietDetails.members))])
    }

    /// What the system takes out of the app's own texts is not in the payload: its key is.
    private static func received(_ file: APNsFile) -> [String] {
        let keys = file.localisedKeys.map { "  \($0.name) \(PrintableText.escape($0.key))" }
        let text = text(file.received)
        return keys.isEmpty ? text : file.received == ShownText() ? keys : keys + text
    }

    static func text(_ text: ShownText) -> [String] {
        let lines = [text.title, text.subtitle, text.body].compactMap(\.self).map { "  \(PrintableText.escape($0))" }
        return lines.isEmpty ? ["  (no text)"] : lines
    }

    static func json(_ text: ShownText) -> JSONValue {
        func value(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
        return .members(["title": value(text.title), "subtitle": value(text.subtitle), "body": value(text.body)])
    }

    private static func json(_ shown: ShownNotification, _ file: APNsFile, _ isRehearsed: Bool) -> JSONValue {
        let text = json(shown.base == .received ? file.received : shown.text).members ?? []
        return .object(
            text + [
                JSONMember("base", .string(shown.base.rawValue)), JSONMember("outcome", .string(shown.outcome.rawValue)),
                JSONMember("thread", shown.thread.map { .string($0) } ?? .null),
                JSONMember("category", shown.category.map { .string($0) } ?? .null),
                JSONMember("user_info", .object(shown.userInfo)), JSONMember("silent", .bool(shown.isSilent)),
                JSONMember("suppressible", .bool(shown.isSuppressible)),
                JSONMember("replay_unchecked", .bool(shown.isReplayUnchecked)),
                JSONMember("quiet_details", .object(file.quietDetails.kept(by: shown).members)),
                JSONMember("image", shown.attachment.flatMap { isRehearsed ? nil : .string($0.path) } ?? .null),
                JSONMember("image_type", shown.attachment.map { .string($0.type.rawValue) } ?? .null),
                JSONMember("image_unscaled", shown.attachment?.unscaled.map { .string($0.rawValue) } ?? .null),
            ])
    }

    private static func ending(_ ending: ExtensionSimulation.Ending) -> (word: String, text: String) {
        switch ending {
        case .delivered: ("delivered", "delivered")
        case .killedForMemory: ("killed-for-memory", "KILLED: it had more than 24 MB resident")
        case .killedForTime: ("killed-for-time", "KILLED: it had not called its handler within 30 seconds")
        case .killed(let signal): ("killed", "KILLED by \(signalName(signal)), not for its memory")
        case .exited(let code): ("ended", "ENDED by itself, with code \(code)")
        }
    }

    private static func signalName(_ number: Int32) -> String {
        let names = [
            SIGABRT: "ABRT", SIGBUS: "BUS", SIGFPE: "FPE", SIGHUP: "HUP", SIGILL: "ILL", SIGINT: "INT", SIGKILL: "KILL",
            SIGQUIT: "QUIT", SIGSEGV: "SEGV", SIGSYS: "SYS", SIGTERM: "TERM", SIGTRAP: "TRAP",
        ]
        return "signal \(number)" + (names[number].map { " (\($0))" } ?? "")
    }

    private static func event(_ event: TelemetryEvent) -> String {
        switch event {
        case .started: "started"
        case .expired: "time expired"
        case .deferred(true): "queued"
        case .deferred(false): "already queued"
        case .refused(let reason): "refused by the queue, and lost: \(reason.rawValue)"
        case .delivered(let time): "delivered after \(milliseconds(time)) ms"
        case .decryption(.attempted): "decryption attempted"
        case .decryption(.succeeded): "decryption succeeded"
        case .decryption(.failed(let outcome)): "decryption failed: \(outcome.rawValue)"
        case .image(.attempted): "image attempted"
        case .image(.succeeded(nil)): "image succeeded"
        case .image(.succeeded(let reason?)): "image succeeded, unscaled: \(reason.rawValue)"
        case .image(.failed(let failure)): "image failed: \(failure.rawValue)"
        }
    }

    private static func milliseconds(_ time: Duration) -> Int64 { Int64(time / .milliseconds(1)) }

    private static func megabytes(_ byteCount: Int) -> String { "\(byteCount / 1_000_000).\(byteCount / 100_000 % 10)" }
}
