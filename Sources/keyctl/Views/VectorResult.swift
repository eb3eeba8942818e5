import BackendJSON
import EnvelopeFormat
import VectorFiles

/// What became of one file, as it is shown.
enum VectorResult {
    case judged(String, VectorTally)
    case skipped(String, String)
    /// A vector file that is damaged, or something that could not be read; a word for it, and what is wrong.
    case trouble(String?, CommandError)

    /// How many failures are shown in plain form: one mistake may fail them all.
    private static let shownCount = 20

    var lines: [String] {
        switch self {
        case .judged(let path, let tally):
            let shown = tally.failures.prefix(Self.shownCount)
            let more = tally.failures.count - shown.count
            return ["\(path): \(Self.counts(tally))"] + shown.map { "  failed: \($0)" } + (more > 0 ? ["  and \(more) more"] : [])
                + (tally.damage.map { ["  damaged: \($0)"] } ?? [])
        case .skipped(let path, let why): return ["\(path): \(why)"]
        case .trouble(let word, let error): return ["\(error.subject ?? ""): \(word ?? "not read"): \(error.reason)"]
        }
    }

    private static func counts(_ tally: VectorTally) -> String {
        let reasons = tally.notApplicable.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
        let ran = "\(tally.ran) ran, \(tally.passed) passed, \(tally.refused) refused as they must be, \(tally.failures.count) failed"
        return "\(tally.title), \(tally.cases) case\(tally.cases == 1 ? "" : "s"): \(ran); \(tally.outside) not applicable"
            + (reasons.isEmpty ? "" : " (\(reasons.joined(separator: ", ")))")
    }

    var json: JSONValue {
        switch self {
        case .judged(let path, let tally):
            .members([
                "file": .string(path), "error": tally.damage.map { .string($0.description) }, "format": .string(tally.title),
                "cases": .integer(tally.cases), "ran": .integer(tally.ran),
                "passed": .integer(tally.passed), "refused": .integer(tally.refused), "failed": .integer(tally.failures.count),
                "failures": .list(tally.failures) { .string($0) }, "not_applicable": .integer(tally.outside),
                "reasons": .list(tally.notApplicable.sorted { $0.key < $1.key }) {
                    .members(["reason": .string($0.key), "cases": .integer($0.value)])
                },
            ])
        case .skipped(let path, let why): .members(["file": .string(path), "skipped": .string(why)])
        case .trouble(_, let error): .members(["file": .string(error.subject ?? ""), "error": .string(error.reason)])
        }
    }
}
