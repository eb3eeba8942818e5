import EnvelopeFormat
import Simulator

/// Our own cases (`docs/spec/cases.md`): of a file that says what is expected.
enum CaseVectors: VectorFormat {
    static func recognizes(_ file: VectorFile) -> Bool { file.member("format")?.text == "waxwing-cases/1" }

    static func judge(_ file: VectorFile, into tally: inout VectorTally) throws(FormatError) {
        tally.title = "waxwing-cases/1"
        let summary = try CaseFile(file.bytes).run { _ in }
        tally.add(passed: summary.matched, failures: summary.failed.map { "\($0): not as expected" })
        tally.passOver(summary.answered - tally.ran, "the file does not say what is expected")
        if summary.unheld > 0 {
            throw FormatError(field: "expect", reason: "\(summary.unheld) of \(summary.answered) cases have none, and others do")
        }
    }
}
