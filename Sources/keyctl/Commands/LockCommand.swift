import EnvelopeFormat
import KeyStore

/// `lock`: takes the class keys away.
enum LockCommand {
    static let row = Command(
        "lock", "lock the store",
        details: [
            "On a device store the when-unlocked class key is evicted, with --restart both class keys are, as after "
                + "a reboot: what they wrap cannot be read until unlock, by anybody.",
            "On a sealer store that holds the path of its key file this is an administrative stop, not a "
                + "cryptographic one: nothing is sealed until unlock.",
        ],
        options: [OptionSpec("restart", nil, "as after a reboot: before first unlock")],
        example: "lock --store phone --restart", role: .any, changesState: true, run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        try invocation.change(viewing: LockView.view(of:)) { (store: Store) in
            try store.lock(restart: invocation.has("restart"), now: invocation.clock)
            return try LockView.view(of: store).report
        }
    }
}
