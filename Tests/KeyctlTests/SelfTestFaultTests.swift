import Foundation
import TestSupport
import Testing

/// A system whose OpenSSL or libsodium answers wrong: a library that is preloaded makes it so, for one function at a time.
@Suite struct SelfTestFaultTests {
    /// A function that is wrong, and the checks of `kat` that then do not pass, told by how they begin.
    static let faults: [(String, [String])] = [
        (
            "EVP_CipherUpdate",
            [
                "AES-256-GCM seal", "AES-256-GCM open", "HPKE in mode PSK, seal", "HPKE in mode PSK, open", "AES-256-GCM of many",
                "envelope dir", "envelope HPKE-7",
            ]
        ),
        ("EVP_CipherFinal_ex", ["AES-256-GCM refusal", "HPKE in mode PSK, open"]),
        (
            "EVP_DigestFinal_ex",
            [
                "SHA-256:", "HMAC-SHA-256:", "HKDF-SHA-256:", "HPKE in mode PSK, seal", "HPKE in mode PSK, open",
                "SHA-256 of many", "AES-256-GCM of many", "HMAC-SHA-256 of many", "HKDF-SHA-256 of many", "envelope dir",
                "envelope HPKE-7", "XChaCha20-Poly1305 of many", "BLAKE2b-256 with a key, of many",
                "BLAKE2b-256 without a key, of many", "secret stream of many",
            ]
        ),
        ("EVP_PKEY_derive", ["P-256 agreement", "HPKE in mode PSK, seal", "HPKE in mode PSK, open", "envelope HPKE-7"]),
        ("crypto_aead_xchacha20poly1305_ietf_encrypt", ["XChaCha20-Poly1305 wrap", "XChaCha20-Poly1305 of many"]),
        (
            "crypto_generichash",
            ["BLAKE2b-256 with a key:", "BLAKE2b-256 with a key, of many", "BLAKE2b-256 without a key, of many"]
        ),
        ("crypto_secretstream_xchacha20poly1305_push", ["secret stream, seal", "secret stream of many"]),
        ("crypto_sign_verify_detached", ["Ed25519"]), ("getrandom", ["randomness"]), ("no getrandom", ["randomness"]),
        // Wrong in one shape alone.
        ("a long text", ["AES-256-GCM of many"]), ("past 16 KiB", ["AES-256-GCM of many"]), ("the first nonce", ["AES-256-GCM of many"]),
        ("an empty text", ["XChaCha20-Poly1305 of many"]), ("long associated data", ["XChaCha20-Poly1305 of many"]),
        ("no key", ["BLAKE2b-256 without a key, of many"]),
        ("a long digest", ["BLAKE2b-256 with a key, of many", "BLAKE2b-256 without a key, of many"]),
        ("crypto_pwhash", ["Argon2id"]),
    ]

    private static let library: Result<URL, any Error> = Result {
        // Where Swift is, clang is beside it.
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
        let compilers = ["clang", "cc", "gcc"].flatMap { name in folders.map { "\($0)/\(name)" } }
        let compiler = try #require(compilers.first { FileManager.default.isExecutableFile(atPath: $0) }, "no C compiler in PATH")
        let library = FileManager.default.temporaryDirectory.appendingPathComponent("wrong-answers-\(UUID().uuidString).so")
        let source = ProjectFolder.root.appendingPathComponent("Tests/CryptoFaults/wrong_answers.c")
        let process = try Process.run(
            URL(fileURLWithPath: compiler), arguments: ["-shared", "-fPIC", "-o", library.path, source.path, "-ldl"])
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
        return library
    }

    private func run(_ line: String, in place: Workplace, wrong function: String, from call: Int = 1) throws -> Finished {
        try place.run(
            line,
            variables: [
                "LD_PRELOAD": try Self.library.get().path, "WAXWING_TEST_WRONG": function, "WAXWING_TEST_FROM": "\(call)",
            ])
    }

    @Test func nothingIsWrongWhereNothingIsAskedFor() throws {
        let finished = try run("keyctl kat", in: Workplace(), wrong: "none")
        #expect(finished.status == 0 && !finished.outputText.contains("FAILED"), "\(finished.outputText)\(finished.errorText)")
    }

    @Test(arguments: faults) func katNamesWhatIsWrong(_ function: String, _ checks: [String]) throws {
        let place = try Workplace()
        let finished = try run("keyctl kat", in: place, wrong: function)
        let failed = finished.outputLines.filter { $0.contains(": FAILED (") }
        #expect(finished.status == 1 && finished.errorText.isEmpty, "\(finished.errorText)")
        #expect(failed.count == checks.count && zip(failed, checks).allSatisfy { $0.hasPrefix($1) }, "\(failed)")
        #expect(finished.outputLines.last == "built in: 27 checks, \(27 - checks.count) passed, \(checks.count) failed")
        let json = try run("keyctl kat --json", in: place, wrong: function)
        #expect(json.status == 1 && json.outputText.components(separatedBy: "\"passed\":false").count == checks.count + 1)
    }

    /// All but Argon2id, which none of these needs. The store is as it was, and does all of it with libraries in order.
    @Test(arguments: faults.dropLast()) func nothingIsSealedNorWritten(_ function: String, _ checks: [String]) throws {
        let stores = try TestStores()
        let place = stores.place
        try place.write("See you at 6", to: "text")
        for line in [
            "keyctl init --store second --role device --passphrase-fd 3 --argon2id 1,8 3< passcode",
            "keyctl device new --store second --name Red > second.json",
        ] { _ = try stores.ends(line, 0) }
        let lines = [
            "keyctl seal --store sealer --conversation chat --body-file text", "keyctl rotate --store sealer --conversation chat --rekey",
            "keyctl rotate --store sealer --conversation chat", "keyctl attachment seal text --output sealed",
            "keyctl device enroll --store sealer second.json", "keyctl device enroll --store sealer enrollment.json",
            "keyctl backup --store sealer --backup-key-file backup-key backup", "keyctl rewrap --store sealer --new-key-file another",
            "keyctl rewrap --store sealer --new-key-file another --dry-run", "keyctl init --store third --role sealer --key-file third-key",
        ]
        let before = try StoreDump.of(place.folder)
        let first = checks[0].split(separator: ":")[0]
        for line in lines {
            let finished = try run(line, in: place, wrong: function)
            #expect(finished.status == 69 && finished.output.isEmpty, "\(line): \(finished.errorText)")
            #expect(finished.errorText.contains("keyctl: error: self-test: \(first)"), "\(line): \(finished.errorText)")
        }
        #expect(try StoreDump.of(place.folder) == before)
        // The device is enrolled already, and the key file is then the present one.
        for line in lines where !line.contains("enrollment.json") && !line.contains("--dry-run") { _ = try stores.ends(line, 0) }
        _ = try stores.ends("keyctl status --store sealer --verify", 0)
    }

    /// What a passphrase comes to is derived wrong: it would open here, and on no other machine.
    @Test func noPassphraseIsMadeByAWrongArgon2id() throws {
        let stores = try TestStores()
        let lines = [
            "keyctl init --store third --role device --passphrase-fd 3 --argon2id 1,8 3< passcode",
            "keyctl rewrap --store sealer --new-passphrase-fd 3 --argon2id 1,8 3< passcode",
            "keyctl backup --store sealer --backup-passphrase-fd 3 --argon2id 1,8 backup 3< passcode",
        ]
        let before = try StoreDump.of(stores.place.folder)
        for line in lines {
            let finished = try run(line, in: stores.place, wrong: "crypto_pwhash")
            #expect(finished.status == 69, "\(line): \(finished.errorText)")
            #expect(finished.errorText.contains("keyctl: error: self-test: Argon2id"), "\(line): \(finished.errorText)")
        }
        #expect(try StoreDump.of(stores.place.folder) == before)
        let sealed = try run(
            "echo hello | keyctl seal --store sealer --conversation chat --body-file -", in: stores.place, wrong: "crypto_pwhash")
        #expect(sealed.status == 0, "\(sealed.errorText)")
        for line in lines { _ = try stores.ends(line, 0) }
    }

    /// The known answers were right, one and those of each length, and what is made afterwards is not: it is opened again before it is kept.
    @Test(arguments: [
        ("crypto_aead_xchacha20poly1305_ietf_encrypt", 1 + 25 + 1, "keyctl rewrap --store sealer --new-key-file another", "class key"),
        (
            "crypto_aead_xchacha20poly1305_ietf_encrypt", 1 + 25 + 1, "keyctl init --store third --role sealer --key-file another",
            "class key"
        ),
        (
            "crypto_secretstream_xchacha20poly1305_push", 1 + 26 + 1, "keyctl backup --store sealer --backup-key-file another backup",
            "the backup"
        ),
    ])
    func whatWasMadeIsOpenedBeforeItIsKept(_ function: String, _ call: Int, _ line: String, _ what: String) throws {
        let stores = try TestStores()
        let before = try StoreDump.of(stores.place.folder)
        let finished = try run(line, in: stores.place, wrong: function, from: call)
        #expect(finished.status == 69 && finished.output.isEmpty, "\(finished.errorText)")
        #expect(finished.errorText.contains("keyctl: error: self-test: \(what)"), "\(finished.errorText)")
        #expect(finished.errorText.contains("does not open again as it was sealed"), "\(finished.errorText)")
        #expect(try StoreDump.of(stores.place.folder) == before)
        _ = try stores.ends(line, 0)
    }

    /// A cipher that fails after it passed: six of the lengths are of more than 256 bytes, each sealed twice and opened. Nothing goes
    /// out in clear.
    @Test func whatFailsLaterSealsNothing() throws {
        let stores = try TestStores()
        try stores.place.write(String(repeating: "See you at 6. ", count: 50), to: "text")
        let line = "keyctl seal --store sealer --conversation chat --body-file text"
        let finished = try run(line, in: stores.place, wrong: "a long text", from: 3 * 6 + 1)
        #expect(finished.status != 0 && finished.output.isEmpty, "\(finished.errorText)")
        #expect(!finished.errorText.contains("self-test"), "\(finished.errorText)")
        _ = try stores.ends(line, 0)
    }

    /// The same of a picture: two of the lengths are of more than 16,384 bytes. Its first block is wrong, its second, or its last.
    @Test(arguments: [1, 2, 3]) func noBlockOfAnAttachmentIsLeftAsItWas(block: Int) throws {
        let place = try Workplace()
        try place.write(String(repeating: "See you at 6. ", count: 12_000), to: "text")
        let line = "keyctl attachment seal text --output sealed --image claim"
        let before = try StoreDump.of(place.folder)
        let finished = try run(line, in: place, wrong: "past 16 KiB", from: 3 * 2 + block)
        #expect(finished.status == 69 && finished.output.isEmpty, "\(finished.errorText)")
        #expect(finished.errorText.contains("keyctl: error: OpenSSL failed, or left some of a text as it was"), "\(finished.errorText)")
        #expect(try StoreDump.of(place.folder) == before)
        let after = try run(line, in: place, wrong: "past 16 KiB", from: 3 * 2 + 4)
        #expect(after.status == 0, "\(after.errorText)")
    }

    /// What OpenSSL refuses in a function that cannot throw ends the process, which says so.
    @Test(arguments: ["EVP_MD_CTX_new", "EVP_MD_fetch"]) func whatIsRefusedEndsTheProcessWithALine(_ function: String) throws {
        let finished = try run("keyctl kat", in: Workplace(), wrong: function)
        // As a shell says it.
        #expect([128 + SIGILL, 128 + SIGTRAP].contains(finished.status), "\(finished.status)")
        #expect(
            finished.errorLines.first?.hasPrefix(
                "CryptoPrimitives/SHA256.swift, init(): OpenSSL or the system's randomness is not usable (") == true,
            "\(finished.errorText)")
    }
}
