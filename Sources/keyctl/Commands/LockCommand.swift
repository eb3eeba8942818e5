import EnvelopeFormat
import KeyStore

/// `lock`: takes the class keys away.
enum LockCommand {
    static let row = Command(
        "lock", "lock the store",
        details: [
            "On a device store the when-unlocked class key is evicted, with --restart both class keys are, as after "
                + "a reboot: what they wrap cannot be read until unlock, by anybody.",
            "On a sealer store every secret is wrapped under after-first-unlock: both go, with or without --restart. One that "
                + "holds the path of its key file reads it at each use, and for it this is an administrative stop, not a "
                + "cryptographic one: nothing is sealed until unlock.",
        ],
        options: [OptionSpec("restart", nil, "as after a reboot: before first unlock")],
        example: "lock --store phone --restart", role: .any, changesState: true, run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        do {
            guard !invocation.isDryRun else {
                return try invocation.change(viewing: LockView.view(of:)) { (store: Store) in
                    try store.lock(restart: invocation.has("restart"), now: invocation.clock)
                    return try LockView.view(of: store).report
                }
            }
            return try lock(invocation)
        } catch {
            let failure = CommandError(reporting: error)
            guard !invocation.isDryRun else { throw failure }
            invocation.console.report(failure)
            invocation.console.report(Self.notLocked(failure.status))
            return .silent(failure.status)
        }
    }

    /// A lock is carried out before it is written, and also where it cannot be written.
    private static func lock(_ invocation: Invocation) throws -> Report {
        let restart = invocation.has("restart")
        let (directory, unwritten, state) = try lockStore(invocation, restart)
        guard restart ? state == .beforeFirstUnlock : state != .unlocked else {
            throw CommandError(.unavailable, directory, "it is \(state.rawValue) again: another process unlocked it meanwhile")
        }
        if let unwritten {
            invocation.console.say(
                "warning: the store is locked, but neither its audit log nor other processes were told: "
                    + unwritten.description)
            if let hint = unwritten.hint { invocation.console.hint(hint) }
        }
        return LockView.view(of: state).report
    }

    private static func lockStore(
        _ invocation: Invocation, _ restart: Bool
    ) throws -> (directory: String, unwritten: KeyStoreError?, state: LockState) {
        do {
            let store = try invocation.openStore()
            let unwritten = try store.carryOutLock(restart: restart, now: invocation.clock)
            return (store.directory, unwritten, try store.lockState)
        } catch let error as KeyStoreError {
            let directory = try invocation.storeDirectory()
            let state = try Store.lockUnopened(directory: directory, restart: restart, obstacle: error)
            return (directory, error, state)
        }
    }

    /// What is said after any failure: who locks a store goes away from it.
    private static func notLocked(_ status: ExitStatus) -> CommandError {
        CommandError(
            status, nil, "the store was NOT locked",
            hint: "class keys may still be held by the session: put right what is wrong and lock again, or restart "
                + "the machine")
    }
}
