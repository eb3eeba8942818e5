import EnvelopeFormat
import Simulator

/// `inspect`: what a payload shows without a key.
enum InspectCommand {
    static let row = Command(
        "inspect", "show what can be seen of a payload without a key, and the size budget",
        arguments: [.input("the payload")],
        options: [OptionSpec("limit", "N", "the limit of the payload in bytes, 4096 if not given")],
        example: "inspect push.apns", role: .none
    ) { invocation in
        let limit = try invocation.wholeNumber("limit") ?? 4_096
        guard let limit = Int(exactly: limit), limit > 0 else { throw invocation.usage("--limit is not above 0") }
        let inspection = try InputError.naming(invocation.inputPath) {
            try PayloadInspection(try Input.readLine(invocation.inputPath), limit: limit)
        }
        return Report(lines: inspection.lines, json: inspection.json())
    }
}
