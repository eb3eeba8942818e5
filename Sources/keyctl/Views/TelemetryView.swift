import BackendJSON
import EnvelopeFormat
import OpenerNSE

/// What events come to, for people and for scripts.
enum TelemetryView {
    static func view(of report: TelemetryReport, unreadableCount: Int) -> View {
        var lines = ["started \(report.started), delivered \(report.delivered), time expired \(report.expired)"]
        if let first = report.first, let last = report.last {
            lines.append("from \(Timestamp.text(first)) to \(Timestamp.text(last))")
        }
        lines.append(line("decryption", report.decryption, \.rawValue))
        if report.notSealed > 0 { lines.append("never sealed \(report.notSealed)") }
        lines.append(line("image", report.image, \.rawValue, unscaled: list(report.unscaledImages, \.rawValue)))
        let refused = list(report.refused, \.rawValue)
        if report.deferred > 0 { lines.append("left in the queue for the app \(report.deferred)") }
        if !refused.isEmpty { lines.append("refused by the queue, and lost: \(refused)") }
        lines.append("until the handler was called:")
        for (index, count) in report.latencies.enumerated() { lines.append("  \(bound(index))  \(count)") }
        if unreadableCount > 0 { lines.append("passed over \(unreadableCount), which are no events") }
        let latencies = JSONValue.list(Array(report.latencies.enumerated())) { index, count in
            let bounds = TelemetryReport.latencyBounds
            return .members([
                "at_most_ms": index < bounds.count ? .integer(bounds[index]) : .null, "count": .integer(count),
            ])
        }
        return View(
            lines: lines,
            json: .members([
                "started": .integer(report.started), "delivered": .integer(report.delivered),
                "expired": .integer(report.expired), "first": report.first.map { .integer($0) } ?? .null,
                "last": report.last.map { .integer($0) } ?? .null, "decryption": json(report.decryption, \.rawValue),
                "not_sealed": .integer(report.notSealed),
                "image": json(report.image, \.rawValue, unscaled: object(report.unscaledImages, \.rawValue)),
                "deferred": .integer(report.deferred), "refused": object(report.refused, \.rawValue), "latencies": latencies,
                "passed_over": .integer(unreadableCount),
            ]))
    }

    private static func bound(_ index: Int) -> String {
        let bounds = TelemetryReport.latencyBounds
        let text = index < bounds.count ? "at most \(bounds[index]) ms" : "more"
        return text + String(repeating: " ", count: max(0, 16 - text.count))
    }

    private static func line<Failure>(
        _ name: String, _ counts: TelemetryReport.Counts<Failure>, _ word: (Failure) -> String, unscaled: String = ""
    ) -> String {
        let rate = counts.successRate.map { rate in
            let tenths = Int((rate * 1_000).rounded())
            return ", \(tenths / 10).\(tenths % 10) %"
        }
        let failed = list(counts.failed, word)
        return "\(name) attempted \(counts.attempted), succeeded \(counts.succeeded)\(rate ?? "")"
            + (unscaled.isEmpty ? "" : "; unscaled: \(unscaled)") + (failed.isEmpty ? "" : "; failed: \(failed)")
            + (counts.unfinished > 0 ? "; without an end: \(counts.unfinished)" : "")
    }

    private static func json<Failure>(
        _ counts: TelemetryReport.Counts<Failure>, _ word: (Failure) -> String, unscaled: JSONValue? = nil
    ) -> JSONValue {
        let ends = [
            JSONMember("attempted", .integer(counts.attempted)), JSONMember("succeeded", .integer(counts.succeeded)),
            JSONMember("unfinished", .integer(counts.unfinished)),
        ]
        return .object(
            ends + (unscaled.map { [JSONMember("unscaled", $0)] } ?? []) + [JSONMember("failed", object(counts.failed, word))])
    }

    private static func list<Reason>(_ counts: [Reason: Int], _ word: (Reason) -> String) -> String {
        ordered(counts, word).map { "\($0.name) \($0.count)" }.joined(separator: ", ")
    }

    private static func object<Reason>(_ counts: [Reason: Int], _ word: (Reason) -> String) -> JSONValue {
        .object(ordered(counts, word).map { JSONMember($0.name, .integer($0.count)) })
    }

    /// The most frequent first.
    private static func ordered<Reason>(_ counts: [Reason: Int], _ word: (Reason) -> String) -> [(name: String, count: Int)] {
        counts.map { (name: word($0.key), count: $0.value) }.sorted { ($1.count, $0.name) < ($0.count, $1.name) }
    }
}
