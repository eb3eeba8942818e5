import Foundation
import StoreFixtures
import TestSupport
import Testing

/// Whatever may take long ends at the first interrupt with a message, says what is left, and is done by repeating it.
@Suite struct InterruptTests {
    /// Runs a command to which an interrupt was sent before it began: as one that is held back it survives its start.
    private static let interrupted = """
        import os, signal, sys
        signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        os.kill(os.getpid(), signal.SIGINT)
        os.execvp(sys.argv[1], sys.argv[1:])
        """

    /// A command, what it counts, and what it says of the rest.
    static let jobs = [
        ("status --store sealer --verify", "rows", "nothing is left of it; repeat it"),
        ("audit verify --store sealer", "entries", "nothing is left of it; repeat it"),
        ("audit show --store sealer", "entries", "repeat it with --after 0"),
        ("audit show --store sealer --json", "entries", "repeat it with --after 0"),
        ("bundle --store sealer --device $device", "conversations", "nothing is left of it; repeat it"),
        ("backup --store sealer --backup-key-file other new", "rows", "nothing is left of it; repeat it"),
        ("backup --store sealer --backup-key-file other new --dry-run", "rows", "nothing is left of it; repeat it"),
        ("restore --store new --key-file other --backup-key-file safe made", "rows", "nothing is left of it; repeat it"),
        (
            "restore --store new --key-file other --backup-key-file safe made --dry-run", "rows",
            "nothing is left of it; repeat it"
        ),
        ("rewrap --store sealer --class-keys", "rows", "what is done stays; repeat it for the rest"),
        ("rotate --store sealer --all", "conversations", "what is done stays; repeat it for the rest"),
        ("rotate --store sealer --all --dry-run", "conversations", "nothing is left of it; repeat it"),
        ("provision --store sealer --from list", "conversations", "what is done stays; repeat it for the rest"),
        ("accept --store phone bundles", "lines", "what is done stays; repeat it for the rest"),
        ("device remove --store sealer $device", "conversations", Self.removal),
        ("device remove --store sealer $device --dry-run", "conversations", "nothing is left of it; repeat it"),
        ("device enroll --store sealer --replaces $device second.json", "conversations", Self.removal),
        (
            "simulate --store phone push", "seconds",
            "run it again; or, where the extension had begun, a minute later: keyctl simulate --store phone --drain"
        ),
        (
            "kat --vectors '\(ProjectFolder.root.path)/Tests/CryptoPrimitivesTests/Vectors/rfc5869.txt'", "files",
            "nothing is left of it; repeat it"
        ),
        ("attachment seal made --output new", "bytes", "nothing is left of it; repeat it"),
        ("attachment open sealed --image image.json --output new", "bytes", "nothing is left of it; repeat it"),
    ]

    private static let removal = "what is done stays; repeat it for the rest, in which nothing is sealed until then"

    @Test(arguments: jobs) func aLongJobEndsAtAnInterrupt(_ command: String, _ what: String, _ hint: String) throws {
        let stores = try TestStores()
        try stores.place.write(Self.interrupted, to: "interrupted.py")
        try stores.place.write("{\"conversation\":\"new\"}\n", to: "list")
        for line in [
            "keyctl backup --store sealer --backup-key-file safe made",
            "keyctl init --store second --role device --passphrase-fd 3 --argon2id 1,8 3< passcode",
            "keyctl device new --store second --name Green > second.json",
            "keyctl attachment seal made --output sealed > image.json",
        ] { _ = try stores.ends(line, 0) }
        let first = try stores.ends("python3 interrupted.py keyctl \(command)", 75)
        #expect(first.errorLines.count == 2, "\(first.errorText)")
        let count = try #require(first.errorLines.first?.firstMatch(of: /^keyctl: error: interrupted after (\d+) (\w+)$/))
        #expect(count.output.2 == what)
        #expect(first.errorLines.last == "keyctl: hint: \(hint)")
        // What was done so far, or would be, is told.
        let told = ["{\"entries\":[],\"error\":\"interrupted after 0 entries\"}\n", ""]
        #expect(told.contains(first.outputText) || first.outputText.hasPrefix("before:\n"), "\(first.outputText)")
        _ = try stores.ends("! test -e other && ! test -e new", 0)
        _ = try stores.ends("keyctl \(command)", 0)
        _ = try stores.ends("keyctl status --store sealer --verify", 0)
    }

    /// As nohup has it: the program goes on.
    @Test func whatIsIgnoredInterruptsNothing() throws {
        let stores = try TestStores()
        let ignoring = Self.interrupted.replacingOccurrences(of: "os.kill", with: "signal.signal(signal.SIGINT, signal.SIG_IGN)\nos.kill")
        try stores.place.write(ignoring, to: "ignoring.py")
        _ = try stores.ends("python3 ignoring.py keyctl status --store sealer --verify", 0)
    }

    @Test func aMigrationEndsAtAnInterrupt() throws {
        let place = try Workplace()
        let store = place.folder.path + "/sealer"
        _ = try StoreFixture("schema-1", "sealer", at: store, keyFile: place.folder.path + "/key")
        try place.write(Self.interrupted, to: "interrupted.py")
        let first = try place.run("python3 interrupted.py keyctl migrate --store sealer --audit-key audit.key")
        #expect(first.status == 75, "\(first.errorText)")
        #expect(first.errorText.hasPrefix("keyctl: error: interrupted after 0 rows\n"), "\(first.errorText)")
        #expect(try place.run("keyctl migrate --store sealer --audit-key audit.key").status == 0)
        #expect(try place.run("keyctl status --store sealer --verify").status == 0)
    }
}
