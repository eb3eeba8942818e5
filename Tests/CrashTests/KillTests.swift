import CrashSupport
import Foundation
import KeyStore
import TestSupport
import Testing

/// `kill -9` at every write boundary of every operation: the old state or the new one, whole, and nothing lost.
@Suite struct KillTests {
    /// How many kills of either kind each operation gets in the usual run: a hundred and some over all of them.
    private static let usual = (100 / 2 + CrashOperation.all.count - 1) / CrashOperation.all.count

    @Test(arguments: CrashOperation.all) func killedAnywhere(_ operation: CrashOperation) throws {
        var random = RepeatableRandom.announced(for: "killedAnywhere \(operation)")
        let prepared = try PreparedOperation(operation)
        print("\(operation): \(prepared.boundaries) boundaries")
        for fault in ["kill", "torn"] {
            let start = Int.random(in: 0..<prepared.boundaries, using: &random)
            for number in prepared.spread(Self.usual, from: start) {
                do { try kill(prepared, fault, at: number) } catch {
                    Issue.record("\(operation), \(fault) at \(number) of \(prepared.boundaries): \(error)")
                }
            }
        }
    }

    private func kill(_ prepared: PreparedOperation, _ fault: String, at number: Int) throws {
        try prepared.putBack()
        let worker = try prepared.run(fault, number)
        let report = try worker.report()
        let signal = worker.end()
        if report.passed != nil {
            // Names are drawn at random, and so is now and then how many pages they take.
            guard signal == nil, number > prepared.boundaries * 9 / 10 else { throw CrashFailure("it was not killed") }
        } else {
            guard signal == SIGKILL else { throw CrashFailure("it ended with \(String(describing: signal))") }
        }
        try Aftermath(prepared, report).check()
    }
}
