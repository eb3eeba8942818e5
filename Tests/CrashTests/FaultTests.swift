import CrashSupport
import Foundation
import KeyStore
import TestSupport
import Testing

/// A disk that is full, broken or only to be read from one write boundary on: a clear error, the old state, and the same
/// process goes on when it is over.
@Suite struct FaultTests {
    /// A fault, and the kind of error it comes to.
    enum Fault: String, CaseIterable {
        case full
        case inputOutput = "io"
        case readOnly = "read-only"

        var kind: KeyStoreError.Kind {
            switch self {
            case .full: .full
            case .inputOutput: .inputOutput
            case .readOnly: .readOnly
            }
        }
    }

    @Test(arguments: PreparedOperation.chosen) func nothingCanBeWritten(_ operation: CrashOperation) throws {
        var random = RepeatableRandom.announced(for: "nothingCanBeWritten \(operation)")
        let prepared = try PreparedOperation(operation)
        var count = 0
        for fault in Fault.allCases {
            for number in prepared.spread(fault == .full ? 2 : 1, for: fault.rawValue, using: &random) {
                count += 1
                do { try fail(prepared, fault, from: number) } catch {
                    let boundaries = prepared.boundaries[fault.rawValue] ?? 0
                    Issue.record("\(operation), \(fault) from \(number) of \(boundaries) on: \(error)")
                }
            }
        }
        print("\(operation): \(count) faults")
    }

    /// A ratchet whose log cannot be cut has happened, says so, and leaves the cutting to the next writer.
    @Test func anErasureThatFailsIsPendingUntilTheNextWriter() throws {
        let prepared = try PreparedOperation(.named("ratchet") ?? .idle)
        var (least, most) = (1, prepared.boundaries[Fault.inputOutput.rawValue, default: 0])
        while least < most {
            let middle = (least + most) / 2
            if try ratchet(prepared, failingFrom: middle).steps > 0 { most = middle } else { least = middle + 1 }
        }
        // At the first boundary after the commit that cannot be done without.
        let report = try ratchet(prepared, failingFrom: least)
        #expect(report.steps == 1 && report.failure?.step == 1 && report.pending == 1)
        let scene = CrashScene(prepared.folder)
        #expect(try scene.erasuresPending() == 1)
        try prepared.operation.run(1, in: scene)
        #expect(try scene.erasuresPending() == 0)
        #expect(try scene.outcome() == prepared.outcomes.last)
    }

    private func ratchet(_ prepared: PreparedOperation, failingFrom number: Int) throws -> CrashWorker.Report {
        try prepared.putBack()
        let worker = try prepared.run(Fault.inputOutput.rawValue, number)
        let report = try worker.report()
        #expect(worker.end() == nil)
        return report
    }

    private func fail(_ prepared: PreparedOperation, _ fault: Fault, from number: Int) throws {
        try prepared.putBack()
        let worker = try prepared.run(fault.rawValue, number)
        var report = try worker.report()
        let found = try #require(report.outcome)
        if let failure = report.failure {
            if failure.text != CrashScene.unremembered { try Aftermath.check(failure, is: fault.kind, in: prepared.folder) }
            worker.go(on: try Aftermath(prepared, report).nextStep(found))
            report = try worker.report()
            if let failure = report.failure { throw CrashFailure("it is over, and yet: \(failure)") }
        }
        let outcome = try #require(report.outcome)
        guard prepared.isLast(outcome, from: found) else { throw CrashFailure("it comes to another state: \(outcome)") }
        let signal = worker.end()
        guard signal == nil else { throw CrashFailure("it ended with \(String(describing: signal))") }
        let scene = CrashScene(prepared.folder)
        guard try scene.outcome() == outcome else { throw CrashFailure("what it said it did is not there") }
        try Aftermath.checkWhole(scene)
    }
}
