import EnvelopeFormat
import Foundation
import TestSupport
import Testing
import VectorFiles

/// One value of a public file that was changed to that of another thing: the file is damaged, and not of that other thing.
@Suite(.enabled(if: PublicVectors.folder != nil, Comment(rawValue: PublicVectors.absence)))
struct PublicEditTests {
    private static let point = "wycheproof/ecdh_secp256r1_ecpoint_test.json"
    private static let asn = "wycheproof/ecdh_secp256r1_test.json"

    @Test(
        arguments: [
            (point, #""secp256r1""#, #""secp384r1""#, "shared: not of 48 bytes"),
            (point, #""secp256r1""#, #""secp256k1""#, "curve: secp256k1, and"),
            (point, #""secp256r1""#, #""brainpoolP256r1""#, "of ours"),
            (point, #""secp256r1""#, #""sect999r1""#, "curve: sect999r1: neither"),
            (point, #""ecpoint""#, #""pem""#, "encoding: pem, and public is none"),
            (point, #""ecpoint""#, #""webcrypto""#, "encoding: webcrypto, and public is no JWK"),
            (point, #""ecpoint""#, #""jwk""#, "public is no JWK"), (point, #""ecpoint""#, #""asn""#, "public: cut off, or no ASN.1"),
            (point, #""ecpoint""#, #""asn1""#, "encoding: asn1: neither"), (point, #""ECDH""#, #""XDH""#, "algorithm: XDH, and"),
            (point, #""ECDH""#, #""ECDHx""#, "algorithm: ECDHx: neither"), (asn, #""secp256r1""#, #""secp256k1""#, "curve: secp256k1, and"),
            (asn, #""secp256r1""#, #""FRP256v1""#, "of ours"), (asn, #""asn""#, #""pem""#, "public is none"),
            ("wycheproof/aes_gcm_test.json", #""AES-GCM""#, #""AES-GCMx""#, "algorithm: AES-GCMx: neither"),
            ("wycheproof/aes_gcm_test.json", #""AES-GCM""#, #""AES-GCM-SIV""#, "algorithm: AES-GCM-SIV, and"),
            ("wycheproof/aes_gcm_test.json", #""AES-GCM""#, #""CHACHA20-POLY1305""#, "of ours"),
            ("wycheproof/xchacha20_poly1305_test.json", #""XCHACHA20-POLY1305""#, #""AEGIS256""#, "of ours"),
            ("wycheproof/ed25519_test.json", #""EDDSA""#, #""ECDSA""#, "of ours"),
            ("wycheproof/ed25519_test.json", #""edwards25519""#, #""edwards448""#, "curve: edwards448, and key or signature"),
            ("wycheproof/ed25519_test.json", #""edwards25519""#, #""Ed448""#, "curve: Ed448, and key"),
            ("wycheproof/ed25519_test.json", #""edwards25519""#, #""Ed449""#, "curve: Ed449: neither"),
            ("wycheproof/hkdf_sha256_test.json", #""HKDF-SHA-256""#, #""HKDF-SHA-512""#, "of ours"),
            ("jose-hpke/jose-vectors.json", #""alg": "HPKE-7","#, #""alg": "HPKE-6","#, "alg: HPKE-6, and the key is not of X448"),
            ("jose-hpke/jose-vectors.json", #""alg": "HPKE-7","#, #""alg": "HPKE-0","#, "alg: HPKE-0, and HPKE-7 in "),
            ("jose-hpke/jose-vectors.json", #""alg": "HPKE-7","#, #""alg": "HPKE-7-KE","#, "alg: HPKE-7-KE, and HPKE-7 in "),
            ("jose-hpke/jose-vectors.json", #""alg": "HPKE-7","#, #""alg": "HPKE-8","#, "alg: HPKE-8: neither"),
            ("rfc5869/hkdf-generated.txt", "SHA-256", "SHA-512", "Hash: SHA-512, and what stands there is of ours"),
            ("rfc5869/rfc-5869-HKDF-SHA256.txt", "PRK  = 06", "# 06", "count 2, PRK: missing"),
        ] as [(String, String, String, String)]) func isDamage(_ path: String, _ part: String, _ other: String, _ reason: String) throws
    {
        let text = try String(contentsOf: PublicVectors.file(path), encoding: .utf8)
        try #require(text.contains(part))
        let changed = text.replacing(part, with: other)
        let error = #expect(throws: FormatError.self) { try VectorFormats.judge(Array(changed.utf8)) }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    /// The numbers of a suite: those of no registry, and those of another with the same lengths.
    @Test func numbersOfHPKE() throws {
        let data = try Data(contentsOf: PublicVectors.file("rfc9180/hpke-vectors.subset.json"))
        let vectors = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
        let ours = try #require(vectors.first { $0["kem_id"] as? Int == 16 && $0["aead_id"] as? Int == 2 && $0["mode"] as? Int == 1 })
        for (name, number, reason) in [
            ("kem_id", 99, "kem_id: 99: neither"), ("kem_id", 0x16, "another KEM than P-256's, and what stands there is of ours"),
            ("kdf_id", 16, "another KDF than HKDF-SHA256, and"), ("kdf_id", 4, "kdf_id: 4: neither"),
            ("aead_id", 3, "another AEAD than AES-256-GCM, and"), ("aead_id", 4, "aead_id: 4: neither"),
            ("mode", 2, "mode: 2 does not go with pkSm"), ("mode", 3, "mode: 3 does not go with pkSm"),
            ("mode", 0, "mode: 0 does not go with psk_id"),
        ] {
            var changed = ours
            changed[name] = number
            let bytes = try Array(JSONSerialization.data(withJSONObject: [changed]))
            let error = #expect(throws: FormatError.self) { try VectorFormats.judge(bytes) }
            #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
        }
    }
}
