import EnvelopeFormat
import Simulator

/// `kat`: answers case files of format `waxwing-cases/1`.
enum KatCommand {
    static let row = Command(
        "kat", "answer case files; with what they expect, compare",
        details: [
            "Works on the keys and times given in the file and touches no store. With --json one object a line, and the "
                + "counts on standard error, unless --quiet. The exit code is 0 when every case was answered, and as expected "
                + "where the file says what is expected."
        ],
        options: [
            OptionSpec(
                "cases", "FILE", "a case file; - for standard input", isRequired: true, isRepeatable: true,
                completion: .files)
        ],
        example: "kat --cases cases.json --json", role: .none, run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        var lines: [String] = []
        var status = ExitStatus.done
        for file in invocation.values("cases") {
            let cases = try InputError.naming(file) { try CaseFile(try Input.read(file)) }
            var failure: CommandError?
            let summary = try InputError.naming(file) {
                try cases.run { answer in
                    guard invocation.isJSON, failure == nil else { return }
                    do throws(CommandError) {
                        try invocation.console.output.write(answer.write() + [0x0A])
                    } catch {
                        failure = error
                    }
                }
            }
            if let failure { throw failure }
            if !summary.failed.isEmpty { status = .no }
            lines.append(line(file, summary))
            lines += summary.failed.map { "  not as expected: \($0)" }
        }
        if invocation.isJSON {
            lines.forEach(invocation.note)
            return .silent(status)
        }
        return Report(lines: lines, json: .null, status: status)
    }

    private static func line(_ file: String, _ summary: CaseSummary) -> String {
        let compared = summary.matched + summary.failed.count
        let result = compared > 0 ? ", \(summary.matched) of \(compared) as expected" : ""
        return "\(file): \(summary.answered) answered\(result)"
    }
}
