import EnvelopeFormat
import Simulator

/// Case files of format `waxwing-cases/1`.
enum KatCases {
    static func run(_ invocation: Invocation) throws -> ExitStatus {
        var lines: [String] = []
        var status = ExitStatus.done
        var trouble: ExitStatus?
        for file in invocation.values("cases") {
            let cases: CaseFile
            do {
                cases = try InputError.naming(file) { try CaseFile(try Input.read(file)) }
            } catch let error as CommandError {
                // What differs elsewhere decides the exit code, and so no file keeps another from being answered.
                invocation.console.report(error)
                trouble = trouble ?? error.status
                continue
            }
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
            if !summary.failed.isEmpty || summary.unheld > 0 { status = .no }
            lines.append(line(file, summary))
            if summary.unheld > 0 { lines.append("  without expect, which others have: \(summary.unheld)") }
            lines += summary.failed.map { "  not as expected: \($0)" }
        }
        if invocation.isJSON {
            lines.forEach(invocation.note)
        } else {
            try KatCommand.print(lines, .null, invocation)
        }
        return status == .no ? .no : trouble ?? .done
    }

    private static func line(_ file: String, _ summary: CaseSummary) -> String {
        let compared = summary.matched + summary.failed.count
        let result = compared > 0 ? ", \(summary.matched) of \(compared) as expected" : ""
        return "\(file): \(summary.answered) answered\(result)"
    }
}
