import EnvelopeFormat
import KeyStore

/// `rewrap`: another passphrase or key file, or other class keys.
enum RewrapCommand {
    static let row = Command(
        "rewrap", "change what unlocks the store, or replace the class keys",
        details: [
            "What unlocks the store now is given as for unlock. Without --new-passphrase-fd, --new-key-file and "
                + "--argon2id a new passphrase is asked for twice on the terminal; --argon2id alone keeps the passphrase. "
                + "What unlocked the store before does not any more, sessions go on, and older copies of the store's files "
                + "still open with what unlocked them.",
            "On a device store --remove-passcode, with --new-key-file, destroys what is "
                + "when-passcode-set-this-device-only; until a passphrase is set again nothing can be of that class.",
            "--class-keys makes a new key for each accessibility class and moves every secret under it, in short "
                + "transactions beside which others work on; then the old keys are destroyed. The store must be "
                + "unlocked. Interrupted, it is finished by repeating it.",
        ],
        options: [
            .passphraseDescriptor,
            OptionSpec("key-file", "FILE", "the key file that unlocks the store now", completion: .files),
            OptionSpec("new-passphrase-fd", "N", "read the new passphrase from this file descriptor"),
            OptionSpec("new-key-file", "FILE", "unlock by this file from now on; made if it is not there", completion: .files),
            OptionSpec("remove-passcode", nil, "on a device store: destroy what needs a passcode"),
            Argon2idOption.option,
            OptionSpec("class-keys", nil, "replace the class keys"),
        ],
        example: "rewrap --store phone --passphrase-fd 3 --new-passphrase-fd 4", role: .any, changesState: true,
        run: run)

    private static func run(_ invocation: Invocation) throws -> Report {
        guard invocation.has("class-keys") else { return try replaceSecret(invocation) }
        for name in ["new-passphrase-fd", "new-key-file", "remove-passcode", "argon2id"] where invocation.has(name) {
            throw invocation.usage("--class-keys and --\(name) exclude each other")
        }
        return try ClassKeyReplacement(invocation).run()
    }

    private static func removePasscode(_ invocation: Invocation) throws -> Report {
        guard invocation.has("new-key-file"), !invocation.has("new-passphrase-fd"), !invocation.has("argon2id") else {
            throw invocation.usage("--remove-passcode goes with --new-key-file, which unlocks the phone from then on")
        }
        let present = try UnlockOption.present(of: invocation, for: try invocation.openStore())
        guard case .keyFile(let path) = try UnlockOption.secret(of: invocation, isNew: true, prefix: "new-") else {
            throw invocation.usage("--new-key-file names no file")
        }
        return try invocation.change(viewing: { try UnlockWayView.view(of: $0.unlockWay()) }) { (store: Store) in
            try store.removePasscode(present, keyFile: path, now: invocation.clock)
            return try UnlockWayView.view(of: store.unlockWay()).report
        }
    }

    private static func replaceSecret(_ invocation: Invocation) throws -> Report {
        let argon2id = try Argon2idOption.value(of: invocation, prefix: "new-")
        if invocation.has("remove-passcode") { return try removePasscode(invocation) }
        let present = try UnlockOption.present(of: invocation, for: try invocation.openStore())
        let new: UnlockSecret
        if argon2id != nil, !UnlockOption.isGiven(invocation, prefix: "new-"), case .passphrase(let passphrase)? = present {
            new = .passphrase(passphrase)
        } else {
            new = try UnlockOption.secret(of: invocation, isNew: true, prefix: "new-", prompt: "new passphrase: ")
        }
        return try invocation.change(viewing: { try UnlockWayView.view(of: $0.unlockWay()) }) { (store: Store) in
            try store.rewrap(present, to: new, argon2id: argon2id, now: invocation.clock)
            if !invocation.isDryRun { try invocation.warnOfKeyFile(of: store) }
            return try UnlockWayView.view(of: store.unlockWay()).report
        }
    }
}
