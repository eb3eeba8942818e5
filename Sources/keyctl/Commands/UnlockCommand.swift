import EnvelopeFormat
import KeyStore

/// `unlock`: makes the class keys available.
enum UnlockCommand {
    static let row = Command(
        "unlock", "unlock the store",
        details: [
            "A sealer store that holds the path of its key file needs neither option; where that file is gone, --key-file "
                + "with a copy of it unlocks the store until lock, or a restart of the machine. Otherwise the passphrase "
                + "is asked for on the terminal.",
            "With --timeout the store locks itself after that time, as `lock` does; status says how much is left.",
        ],
        options: [
            .passphraseDescriptor,
            OptionSpec("key-file", "FILE", "the key file of a store made with one", completion: .files),
            OptionSpec("timeout", "SPAN", "lock again after 10s, 5m, 12h, up to 30d"),
        ],
        example: "unlock --store phone --passphrase-fd 3", role: .any, changesState: true, run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        let store = try invocation.openStore()
        let secret = try UnlockOption.present(of: invocation, for: store)
        let timeout = try invocation.timeSpan("timeout").map { Int(clamping: $0) }
        return try invocation.change(viewing: LockView.view(of:)) { (store: Store) in
            try store.unlock(secret, timeout: timeout, now: invocation.clock)
            return try LockView.view(of: store).report
        }
    }
}
