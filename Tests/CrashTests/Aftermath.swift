import CrashSupport
import KeyStore

/// What is there after an operation was stopped, and whether everything goes on from there.
struct Aftermath {
    private let prepared: PreparedOperation
    private let report: CrashWorker.Report

    init(_ prepared: PreparedOperation, _ report: CrashWorker.Report) {
        self.prepared = prepared
        self.report = report
    }

    func check() throws {
        let operation = prepared.operation
        var granted = report.granted
        let scene = CrashScene(prepared.folder) { line in
            let words = line.split(separator: " ").map(String.init)
            granted.append(.init(kid: words[1], first: Int64(words[2]) ?? -1, count: Int64(words[3]) ?? 0))
        }
        let next = try nextStep(try scene.outcome())
        try scene.verifyWhole()
        if next > report.steps { try operation.repeatDone(report.steps, in: scene) }
        for step in next..<operation.steps.count { try operation.run(step, in: scene) }
        let outcome = try scene.outcome()
        guard outcome == prepared.outcomes.last else { throw CrashFailure("repeated, it comes to another state: \(outcome)") }
        try Self.checkWhole(scene)
        for (index, grant) in granted.enumerated() {
            for other in granted[..<index] where grant.overlaps(other) { throw CrashFailure("granted twice: \(other), \(grant)") }
        }
    }

    /// That everything works as if nothing had been.
    static func checkWhole(_ scene: CrashScene) throws {
        try scene.makeReady()
        try scene.checkPushes()
        try scene.checkSettled()
        try scene.verifyWhole()
    }

    /// The step to go on with: what returned was done, and of the next one nothing was or all.
    func nextStep(_ outcome: String) throws -> Int {
        let steps = report.steps
        if outcome == prepared.outcomes[steps] { return steps }
        guard steps < prepared.operation.steps.count else { throw CrashFailure("what was done is not there: \(outcome)") }
        if outcome == prepared.outcomes[steps + 1] { return steps + 1 }
        guard prepared.operation.steps[steps].isGradual else {
            throw CrashFailure("neither the old state nor the new, after \(steps) steps: \(outcome)")
        }
        return steps
    }
}
