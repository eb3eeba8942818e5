import Foundation
import TestSupport
import Testing

/// A system whose OpenSSL or libsodium answers wrong: a library that is preloaded makes it so, for one function at a time.
@Suite struct SelfTestFaultTests {
    /// A function that is wrong, and the checks of `kat` that then do not pass, told by how they begin.
    static let faults: [(String, [String])] = [
        (
            "EVP_CipherUpdate",
            ["AES-256-GCM seal", "AES-256-GCM open", "HPKE in mode PSK, seal", "HPKE in mode PSK, open", "envelope dir", "envelope HPKE-7"]
        ),
        ("EVP_CipherFinal_ex", ["AES-256-GCM refusal", "HPKE in mode PSK, open"]),
        (
            "EVP_DigestFinal_ex",
            [
                "SHA-256", "HMAC-SHA-256", "HKDF-SHA-256", "HPKE in mode PSK, seal", "HPKE in mode PSK, open", "envelope dir",
                "envelope HPKE-7",
            ]
        ),
        ("EVP_PKEY_derive", ["P-256 agreement", "HPKE in mode PSK, seal", "HPKE in mode PSK, open", "envelope HPKE-7"]),
        ("crypto_aead_xchacha20poly1305_ietf_encrypt", ["XChaCha20-Poly1305 wrap"]), ("crypto_generichash", ["BLAKE2b-256 with a key"]),
        ("crypto_secretstream_xchacha20poly1305_push", ["secret stream, seal"]), ("crypto_sign_verify_detached", ["Ed25519"]),
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

    private func run(_ line: String, in place: Workplace, wrong function: String) throws -> Finished {
        try place.run(line, variables: ["LD_PRELOAD": try Self.library.get().path, "WAXWING_TEST_WRONG": function])
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
        #expect(finished.outputLines.last == "built in: 18 checks, \(18 - checks.count) passed, \(checks.count) failed")
        let json = try run("keyctl kat --json", in: place, wrong: function)
        #expect(json.status == 1 && json.outputText.components(separatedBy: "\"passed\":false").count == checks.count + 1)
    }

    /// All but Argon2id, which no seal needs.
    @Test(arguments: faults.dropLast()) func nothingIsSealedNorCounted(_ function: String, _ checks: [String]) throws {
        let stores = try TestStores()
        try stores.place.write("See you at 6", to: "text")
        let before = try StoreDump.of(stores.place.folder)
        for line in [
            "keyctl seal --store sealer --conversation chat --body-file text", "keyctl rotate --store sealer --conversation chat --rekey",
            "keyctl attachment seal text --output sealed",
        ] {
            let finished = try run(line, in: stores.place, wrong: function)
            // A store looks at its schema first, by SHA-256.
            let isOfSchema = function == "EVP_DigestFinal_ex" && line.contains("--store")
            let expected = isOfSchema ? "migration 1 is not the one known by that number" : "keyctl: error: self-test: \(checks[0])"
            #expect(finished.status == (isOfSchema ? 65 : 69) && finished.output.isEmpty, "\(line): \(finished.errorText)")
            #expect(finished.errorText.contains(expected), "\(line): \(finished.errorText)")
        }
        let after = try StoreDump.of(stores.place.folder)
        #expect(after == before)
    }
}
