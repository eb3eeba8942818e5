import BackendJSON
import EnvelopeFormat
import KeyStore

/// `rewrap --class-keys`: a long job that others do not wait for.
struct ClassKeyReplacement {
    private let invocation: Invocation

    init(_ invocation: Invocation) { self.invocation = invocation }

    func run() throws -> Report {
        let store = try invocation.openStore()
        let present = try UnlockOption.present(of: invocation, for: store)
        if invocation.isDryRun {
            try store.rehearse { _ = try ClassKeyRotation($0, unlockedBy: present, now: invocation.clock) }
            let uses = try store.classKeyUse()
            return Invocation.dryRunReport(before: ClassKeyView.view(of: uses), after: ClassKeyView.after(uses))
        }
        let rotation = try ClassKeyRotation(store, unlockedBy: present, now: invocation.clock)
        var job = LongJob(invocation)
        repeat {
            guard job.goesOn("rows", done: rotation.passedCount, of: rotation.rowCount) else { return .silent(.tryAgain) }
        } while try rotation.step()
        try rotation.finish()
        job.finish()
        let isPending = try store.status(now: invocation.clock).erasurePending
        return ClassKeyView.report(of: try store.classKeyUse(), moved: rotation.movedCount, erasurePending: isPending)
    }
}
