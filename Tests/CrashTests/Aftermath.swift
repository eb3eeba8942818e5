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
            if let grant = CrashWorker.Grant(line.split(separator: " ").map(String.init)) { granted.append(grant) }
        }
        // A store in the making, or an anchor that was about to take its place; a secret never.
        let left = try scene.unfinished()
        guard left.allSatisfy({ $0.hasPrefix(".backend.new-") || $0.hasPrefix(".phone-0.new-") || $0.hasPrefix(".anchor-") }) else {
            throw CrashFailure("left behind: \(left)")
        }
        let found = try scene.outcome()
        let next = try nextStep(found)
        try scene.verifyWhole()
        if next > report.steps { try operation.repeatDone(report.steps, in: scene) }
        for step in next..<operation.steps.count { try operation.run(step, in: scene) }
        let outcome = try scene.outcome()
        guard prepared.isLast(outcome, from: found) else { throw CrashFailure("repeated, it comes to another state: \(outcome)") }
        try Self.checkWhole(scene)
        try Self.checkDisjoint(granted)
    }

    /// That no seal was leased twice.
    static func checkDisjoint(_ granted: [CrashWorker.Grant]) throws {
        for (_, grants) in Dictionary(grouping: granted, by: \.kid) {
            let ordered = grants.sorted { $0.first < $1.first }
            for (one, next) in zip(ordered, ordered.dropFirst()) where one.overlaps(next) {
                throw CrashFailure("granted twice: \(one), \(next)")
            }
        }
    }

    /// That everything works as if nothing had been.
    static func checkWhole(_ scene: CrashScene) throws {
        try scene.makeReady()
        try scene.checkPushes()
        try scene.leaseAgain()
        try scene.checkSettled()
        try scene.verifyWhole()
    }

    /// That an error is of that kind, and names a path in the scene.
    static func check(_ failure: CrashWorker.Failure, is kind: KeyStoreError.Kind, in folder: String) throws {
        // Whatever the reason, SQLite has one answer when what is beside the database cannot grow.
        let isGrowth = failure.kind == "full" && failure.text.hasSuffix("(SQLite 4874)")
        guard failure.kind == "\(kind)" || isGrowth else { throw CrashFailure("another kind: \(failure)") }
        guard failure.text.contains(folder) else { throw CrashFailure("no path is named: \(failure)") }
    }

    /// The step to go on with: what returned was done, and of the next one nothing was or all.
    func nextStep(_ outcome: SceneState) throws -> Int {
        let steps = report.steps
        if outcome == prepared.outcomes[steps] { return steps }
        guard steps < prepared.operation.steps.count else { throw CrashFailure("what was done is not there: \(outcome)") }
        if outcome == prepared.outcomes[steps + 1] { return steps + 1 }
        let step = prepared.operation.steps[steps]
        guard step.isGradual, report.failure == nil || !step.failsWhole else {
            throw CrashFailure("neither the old state nor the new, after \(steps) steps: \(outcome)")
        }
        return steps
    }
}
