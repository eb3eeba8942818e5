import BackendJSON
import EnvelopeFormat
import KeyStore

/// The known answers that are built in.
enum KatBuiltIn {
    static func run(_ invocation: Invocation) throws(CommandError) -> ExitStatus {
        let results = SelfTest.checks.map { (check: $0, passes: $0.passes()) }
        let passed = results.count { $0.passes }
        let lines = results.map { "\($0.check.name): \($0.passes ? "passed" : "FAILED") (\($0.check.source))" }
        let json = JSONValue.list(results) {
            .members(["name": .string($0.check.name), "source": .string($0.check.source), "passed": .bool($0.passes)])
        }
        try KatCommand.print(
            lines + ["built in: \(results.count) checks, \(passed) passed, \(results.count - passed) failed"], .members(["built_in": json]),
            invocation)
        return passed == results.count ? .done : .no
    }
}
