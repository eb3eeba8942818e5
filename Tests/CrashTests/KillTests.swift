import CrashSupport
import Foundation
import KeyStore
import TestSupport
import Testing

/// `kill -9` at every write boundary of every operation: the old state or the new one, whole, and nothing lost.
@Suite struct KillTests {
    /// A hundred kills in the usual run over all operations, at least one of either kind each.
    private static func usual(_ operation: CrashOperation, torn: Bool) -> Int {
        let all = CrashOperation.all + CrashOperation.draining
        let index = all.firstIndex { $0.name == operation.name } ?? 0
        let count = max(2, 100 * (index + 1) / all.count - 100 * index / all.count)
        return torn ? count / 2 : count - count / 2
    }

    @Test(arguments: PreparedOperation.killed) func killedAnywhere(_ operation: CrashOperation) throws {
        var random = RepeatableRandom.announced(for: "killedAnywhere \(operation)")
        let prepared = try PreparedOperation(operation)
        print("\(operation): \(prepared.boundaries["kill", default: 0]) boundaries")
        var count = 0
        for fault in ["kill", "torn"] {
            for number in prepared.spread(Self.usual(operation, torn: fault == "torn"), for: fault, using: &random) {
                count += 1
                do { try kill(prepared, fault, at: number) } catch {
                    Issue.record("\(operation), \(fault) at \(number) of \(prepared.boundaries[fault] ?? 0): \(error)")
                }
            }
        }
        print("\(operation): killed \(count) times")
    }

    private func kill(_ prepared: PreparedOperation, _ fault: String, at number: Int) throws {
        try prepared.putBack()
        let worker = try prepared.run(fault, number)
        let report = try worker.report()
        let signal = worker.end()
        if !report.passed.isEmpty {
            // Names are drawn at random, and so is now and then how many pages they take.
            guard signal == nil, number > prepared.boundaries[fault, default: 0] * 9 / 10 else { throw CrashFailure("it was not killed") }
        } else {
            guard signal == SIGKILL else { throw CrashFailure("it ended with \(String(describing: signal))") }
        }
        try Aftermath(prepared, report).check()
    }
}
