import KeyStore
import Testing

@Suite struct SodiumDerivationTests {
    /// RFC 9106's own vectors have four lanes and a secret, of which libsodium has neither. These are made with
    /// argon2-cffi 25.1.0 (the reference C code), whose `hash_secret_raw` was given `parallelism=1`, `hash_len=32`,
    /// `type=Type.ID`, `memory_cost=MiB * 1024`.
    @Test(arguments: [
        (
            "0101010101010101010101010101010101010101010101010101010101010101", "02020202020202020202020202020202", 3,
            8, "9ba6b8435ed202d03c25e191482739f68f5d04a2fe47c6d1d2a2ef3493af46ad"
        ),
        (
            "636f727265637420686f727365206261747465727920737461706c65", "000102030405060708090a0b0c0d0e0f", 1, 64,
            "ddb47644b1c7fcedcde4bf9220a884f033e8635be9329cf1c4ee3ad7941e3a62"
        ),
        (
            "70c3a4737377c3b67264", "ffffffffffffffffffffffffffffffff", 10, 8,
            "6f2ad9b4bfbdb15f879d1cc57d4d146de0af1bce1eda6ff8e1f50b5479b0935b"
        ),
    ])
    func derivesWhatTheReferenceDerives(
        passphrase: String, salt: String, passes: Int, memoryMiB: Int, expected: String
    ) throws {
        var typed = Hexadecimal.bytes(passphrase)
        let key = try Argon2id.derive(
            from: Passphrase(consuming: &typed), salt: Hexadecimal.bytes(salt),
            parameters: Argon2idParameters(passes: passes, memoryMiB: memoryMiB))
        #expect(key.withBytes { Hexadecimal.text($0) } == expected)
    }

    @Test func refusesParametersOutOfRange() throws {
        for passes in [Int.min, 0, 11, Int.max] {
            #expect(throws: SodiumError.outOfRange(parameter: "Argon2id passes", value: passes)) {
                try Argon2idParameters(passes: passes, memoryMiB: 8)
            }
        }
        for memory in [Int.min, 7, 1025, Int.max] {
            #expect(throws: SodiumError.outOfRange(parameter: "Argon2id memory in MiB", value: memory)) {
                try Argon2idParameters(passes: 1, memoryMiB: memory)
            }
        }
        #expect(try Argon2idParameters(passes: 3, memoryMiB: 256) == .standard)
        #expect(try Argon2idParameters(passes: 10, memoryMiB: 1024).memoryMiB == 1024)
    }

    @Test(arguments: [0, 15, 17]) func refusesASaltOfAnotherLength(byteCount: Int) throws {
        var typed = Array("passphrase".utf8)
        let passphrase = try Passphrase(consuming: &typed)
        #expect(throws: SodiumError.wrongLength(of: "Argon2id salt", byteCount: byteCount)) {
            try Argon2id.derive(
                from: passphrase, salt: [UInt8](repeating: 0, count: byteCount),
                parameters: Argon2idParameters(passes: 1, memoryMiB: 8))
        }
    }

    /// Made with `hashlib.blake2b(message, digest_size=32, key=bytes(range(32)))` of Python 3.11.
    @Test(arguments: [
        ("abc", "d63a32d3e44738d7907f964316c241adaba0abfeabc32349677578a15a203f7f"),
        ("", "4e51e7a913fc80137da52880fecca175bf81e117d5c68126dc2774033517ea0d"),
    ])
    func digestsAsBlake2bDoes(message: String, expected: String) throws {
        var bytes = Array(UInt8(0)..<32)
        let key = try GuardedBytes(consuming: &bytes)
        #expect(try Hexadecimal.text(KeyedDigest.digest(of: Array(message.utf8), key: key)) == expected)
        let short = try GuardedBytes(randomCount: 16)
        #expect(throws: SodiumError.wrongLength(of: "digest key", byteCount: 16)) {
            try KeyedDigest.digest(of: [], key: short)
        }
    }
}
