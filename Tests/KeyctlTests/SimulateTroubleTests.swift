import Testing

/// What is wrong with the container or with the extension's program is named, with its reason and its code.
@Suite struct SimulateTroubleTests {
    /// What is done first, the command, its code, and how the message goes on behind the program's name.
    static let troubles: [(String, String, Int32, String)] = [
        ("", "--container a/b", 66, "a/b: the folder above it is not there"),
        ("echo > file", "--container file", 65, "file: is a file where a folder is needed"),
        ("echo > file", "--container file/c", 66, "file/c: the folder above it is not there"),
        ("", "--container ''", 64, "simulate: --container is empty"),
        ("", "--container phone", 64, "simulate: --container is the store's own folder"),
        ("", "--container $(printf '%0300d' 1)", 74, "0"),
        ("", "--time-scale -1", 64, "simulate: --time-scale is none of 1 to "),
        ("", "--time-scale 1000", 64, "simulate: --time-scale is none of 1 to "),
    ]

    @Test(arguments: troubles) func isNamed(_ first: String, _ options: String, _ status: Int32, _ message: String) throws {
        let stores = try TestStores()
        if !first.isEmpty { _ = try stores.ends(first, 0) }
        let finished = try stores.ends("keyctl simulate --quiet --store phone push \(options)", status)
        #expect(finished.outputText.isEmpty)
        #expect(finished.errorText.hasPrefix("keyctl: error: \(message)"), "\(finished.errorText)")
    }

    /// A file of events that cannot be written costs the events that are kept, and nothing of the notification.
    @Test(arguments: ["mkfifo c/telemetry.ndjson", "ln -s x c/telemetry.ndjson", "mkdir c/telemetry.ndjson"])
    func eventsAreKeptWhereTheyCan(_ first: String) throws {
        let stores = try TestStores()
        _ = try stores.ends("mkdir c && \(first)", 0)
        let finished = try stores.ends("keyctl simulate --quiet --store phone push --container c", 0)
        #expect(finished.outputText.contains("delivered, after") && finished.outputText.contains("  started"))
    }

    /// One that waits for its reader is at it; another one does not say that there is nothing.
    @Test func aSecondDrainSaysThatItIsNone() throws {
        let stores = try TestStores()
        for line in [
            "keyctl unlock --store phone --passphrase-fd 3 3< passcode", "keyctl accept --store phone bundles",
            "keyctl lock --store phone --restart", "keyctl simulate --quiet --store phone push",
            "keyctl unlock --store phone --passphrase-fd 3 3< passcode",
        ] { _ = try stores.ends(line, 0) }
        let script = """
            mkfifo pipe && exec 4<>pipe && head -c 65536 /dev/zero >&4
            keyctl simulate --store phone --drain >&4 & first=$!
            for i in $(seq 200); do [ -e phone/container/queue/drain.lock ] && break || sleep 0.05; done
            keyctl simulate --store phone --drain; status=$?
            head -c 65536 <&4 >/dev/null; wait $first || status=1
            read -r line <&4; echo "$line"; exit $status
            """
        let finished = try stores.ends(script, 75)
        #expect(finished.outputText.hasPrefix("opened, came ") && finished.errorText.contains("another one is at it"))
    }

    /// What takes the place of the extension's program, the code, and what is said where.
    static let programs: [(String, Int32, String)] = [
        ("rm -f waxwing-extension", 66, "there is no such file"),
        ("echo x > waxwing-extension; chmod 644 waxwing-extension", 77, "not permitted to this user"),
        ("echo x > waxwing-extension; chmod 755 waxwing-extension", 74, "Exec format error"),
        (script("head -c 12 /dev/zero >&3; sleep 100"), 74, "it is no extension's program of this version"),
        (
            script("printf '\\\\0\\\\0\\\\0\\\\002\\\\0\\\\0\\\\0\\\\0\\\\0\\\\0\\\\0\\\\0{}' >&3; sleep 100"), 74,
            "it is no extension's program"
        ),
        (script("kill -9 $$"), 1, "KILLED by signal 9 (KILL), not for its memory, after "),
        (script("kill -SEGV $$"), 1, "KILLED by signal 11 (SEGV), not for its memory, after "),
        (script("exit 3"), 1, "ENDED by itself, with code 3, after "),
    ]

    private static func script(_ line: String) -> String {
        "printf '%s\\n' '#!/bin/sh' \"\(line.replacingOccurrences("$$"))\" > waxwing-extension; chmod 755 waxwing-extension"
    }

    @Test(arguments: programs) func theExtensionsProgramIsNamed(_ change: String, _ status: Int32, _ message: String) throws {
        let stores = try TestStores()
        _ = try stores.ends("mkdir own && cp \"$(readlink -f \"$(command -v keyctl)\")\" own/keyctl && cd own && \(change)", 0)
        let finished = try stores.ends("own/keyctl simulate --quiet --store phone push", status)
        #expect((finished.outputText + finished.errorText).contains(message), "\(finished.outputText)\(finished.errorText)")
        #expect(!finished.outputText.contains("at most 0.0 MB"))
        if status != 1 { #expect(finished.errorText.contains("/own/waxwing-extension: ")) }
    }
}

extension String {
    /// As it stands between the double quotes of a shell.
    fileprivate func replacingOccurrences(_ dollars: String) -> String {
        split(separator: dollars, omittingEmptySubsequences: false).joined(separator: "\\$\\$")
    }
}
