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

    @Test(arguments: CrashOperation.all) func nothingCanBeWritten(_ operation: CrashOperation) throws {
        var random = RepeatableRandom.announced(for: "nothingCanBeWritten \(operation)")
        let prepared = try PreparedOperation(operation)
        for fault in Fault.allCases {
            let start = Int.random(in: 0..<prepared.boundaries, using: &random)
            for number in prepared.spread(2, from: start) {
                do { try fail(prepared, fault, from: number) } catch {
                    Issue.record("\(operation), \(fault) from \(number) of \(prepared.boundaries) on: \(error)")
                }
            }
        }
    }

    private func fail(_ prepared: PreparedOperation, _ fault: Fault, from number: Int) throws {
        try prepared.putBack()
        let worker = try prepared.run(fault.rawValue, number)
        var report = try worker.report()
        var outcome = report.outcome ?? "none"
        if let failure = report.failure {
            if failure.text != CrashScene.unremembered { try check(failure, of: fault, in: prepared.folder) }
            worker.go(on: try Aftermath(prepared, report).nextStep(outcome))
            report = try worker.report()
            outcome = report.outcome ?? "none"
            if let failure = report.failure { throw CrashFailure("it is over, and yet: \(failure)") }
        }
        guard outcome == prepared.outcomes.last else { throw CrashFailure("it comes to another state: \(outcome)") }
        let signal = worker.end()
        guard signal == nil else { throw CrashFailure("it ended with \(String(describing: signal))") }
        let scene = CrashScene(prepared.folder)
        guard try scene.outcome() == outcome else { throw CrashFailure("what it said it did is not there") }
        try Aftermath.checkWhole(scene)
    }

    private func check(_ failure: CrashWorker.Failure, of fault: Fault, in folder: String) throws {
        // Whatever the reason, SQLite has one answer when what is beside the database cannot grow.
        let isGrowth = failure.kind == "full" && failure.text.hasSuffix("(SQLite 4874)")
        guard failure.kind == "\(fault.kind)" || isGrowth else { throw CrashFailure("another kind: \(failure)") }
        guard failure.text.contains(folder + "/") else { throw CrashFailure("no path is named: \(failure)") }
    }
}
