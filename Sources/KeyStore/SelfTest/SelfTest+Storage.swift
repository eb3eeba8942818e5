import CryptoPrimitives

extension SelfTest {
    private static let interop = "Tests/Interop/known_answers.py"
    private static let streamKey = "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f"

    static let storage = [
        Check("XChaCha20-Poly1305 wrap, unwrap and refusal", from: "draft-irtf-cfrg-xchacha-03, A.3.1") {
            let wrappingKey = try key("808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f")
            let nonce = bytes("404142434445464748494a4b4c4d4e4f5051525354555657")
            let beside = bytes("50515253c0c1c2c3c4c5c6c7")
            let plaintext = Array(sunscreen.utf8)
            let expected = nonce + bytes(wrapped)
            let sealed = try plaintext.withUnsafeBytes { try KeyWrap.wrap($0, nonce: nonce, key: wrappingKey, associatedData: beside) }
            guard sealed == expected else { return false }
            guard try KeyWrap.unwrap(sealed, key: wrappingKey, associatedData: beside).withBytes({ Array($0) }) == plaintext else {
                return false
            }
            var changed = sealed
            changed[changed.count - 1] ^= 1
            return isNotAuthentic { _ = try KeyWrap.unwrap(changed, key: wrappingKey, associatedData: beside) }
        },
        Check("BLAKE2b-256 with a key", from: interop) {
            let digest = try KeyedDigest.digest(of: Array("waxwing".utf8), key: try key(streamKey))
            return digest == bytes("227b42ebd6d35c842ec38541ca5be0cb2b8c339660bc20ca75fe18a4193d68d8")
        },
        Check("secret stream, open and refusal", from: interop) {
            let header = [UInt8](0x40..<0x58)
            let first = bytes("6643c2d2ae6eedd3f5f2c3704bed9d01d166d7da62ee2d0f5338afb6071c0e1f")
            let last = bytes("1a45cdfe6db8bb75eb3756d6431c67b1833a660ca4c7048e4f")
            let stream = try SecretStream.opening(try key(streamKey), header: header)
            var changed = first
            changed[0] ^= 1
            let another = try SecretStream.opening(try key(streamKey), header: header)
            guard isNotAuthentic({ _ = try open(another, changed, Array("row".utf8)) }) else { return false }
            guard try open(stream, first, Array("row".utf8)) == ("the first chunk", false) else { return false }
            return try open(stream, last, []) == ("the last", true)
        },
        Check("secret stream, seal", from: "what the check before it opens, as its header is random") {
            let (sealing, header) = try SecretStream.sealing(try key(streamKey))
            let chunk = try Array("chunk".utf8).withUnsafeBytes { try sealing.seal($0, associatedData: [1], isLast: true) }
            return try open(SecretStream.opening(try key(streamKey), header: header), chunk, [1]) == ("chunk", true)
        },
        Check("Ed25519 sign, verify and refusal", from: "RFC 8032, 7.1, test 2") {
            let seed = SymmetricKey(data: bytes("4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb"))
            let signer = try SigningKey(seed: seed)
            let expected = bytes(
                """
                92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da\
                085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00
                """)
            let publicKey = bytes("3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c")
            guard signer.publicKey == publicKey, try signer.signature(of: [0x72]) == expected else { return false }
            guard try SigningKey.verify(expected, of: [0x72], by: publicKey) else { return false }
            return try !SigningKey.verify(expected, of: [0x73], by: publicKey)
        },
    ]

    static let passphrases = [
        Check("Argon2id, 1 pass over 8 MiB", from: interop, isSlow: true) {
            var text = Array("waxwing".utf8)
            let derived = try Argon2id.derive(
                from: Passphrase(consuming: &text), salt: [UInt8](0..<16), parameters: Argon2idParameters(passes: 1, memoryMiB: 8))
            let expected = bytes("9de1f2fe2730021b8f42f39e302f6c6fac7cf861ba1f237eeb9e0597bbfc145d")
            return derived.withBytes { Array($0) == expected }
        }
    ]

    private static let sunscreen =
        "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it."

    private static let wrapped = """
        bd6d179d3e83d43b9576579493c0e939572a1700252bfaccbed2902c21396cbb731c7f1b0b4aa6440bf3a82f4eda7e39ae64c6708c54c216cb96b7\
        2e1213b4522f8c9ba40db5d945b11b69b982c1bb9e3f3fac2bc369488f76b2383565d3fff921f9664c97637da9768812f615c68b13b52ec0875924\
        c1c7987947deafd8780acf49
        """

    private static func isNotAuthentic(_ open: () throws -> Void) -> Bool {
        do { try open() } catch SodiumError.notAuthentic { return true } catch {}
        return false
    }

    private static func open(_ stream: SecretStream, _ chunk: [UInt8], _ beside: [UInt8]) throws(SodiumError) -> (String, Bool) {
        try WipedBytes.with(chunk.count) { (output) throws(SodiumError) in
            let opened = try stream.open(chunk[...], into: output, associatedData: beside)
            return (String(decoding: output[..<opened.count], as: UTF8.self), opened.isLast)
        }
    }
}
