import Foundation
import TestSupport
import Testing

@testable import CryptoPrimitives

/// Known answers that come with the sources, by another implementation.
@Suite struct OwnVectorTests {
    let own: OwnVectors

    init() throws {
        own = try OwnVectors.read()
    }

    @Test func aesGCM() throws {
        var tally = VectorTally("own.json aes256gcm")
        for test in own.aes256gcm {
            tally.count("\(test.msg.count / 2) bytes") {
                try VectorJudge.aesGCM(
                    .init(
                        key: hex(test.key), nonce: hex(test.nonce), authenticated: hex(test.aad),
                        ciphertext: hex(test.ct), tag: hex(test.tag), message: hex(test.msg)))
            }
        }
        tally.expectAll(9)
    }

    @Test func hmacAndHash() throws {
        var tally = VectorTally("own.json hmac")
        for test in own.hmac {
            tally.count("\(test.msg.count / 2) bytes") {
                guard try [UInt8](SHA256.hash(data: hex(test.msg))) == hex(test.sha256) else {
                    return .failed("another digest")
                }
                return try VectorJudge.hmac(
                    key: hex(test.key), message: hex(test.msg), tag: hex(test.tag), isValid: true)
            }
        }
        tally.expectAll(7)
    }

    @Test func hkdf() throws {
        var tally = VectorTally("own.json hkdf")
        for test in own.hkdf {
            tally.count("\(test.okm.count / 2) bytes") {
                let (ikm, salt) = try (hex(test.ikm), hex(test.salt))
                let prk = HKDF<SHA256>.extract(inputKeyMaterial: SymmetricKey(data: ikm), salt: salt)
                guard try [UInt8](prk) == hex(test.prk) else { return .failed("another pseudorandom key") }
                let okm = try hex(test.okm)
                return try VectorJudge.hkdf(ikm: ikm, salt: salt, info: hex(test.info), size: okm.count, okm: okm)
            }
        }
        tally.expectAll(6)
        try tallyHKDF("rfc5869.txt", text: String(contentsOf: OwnVectors.file("rfc5869.txt"), encoding: .utf8))
    }

    @Test func agreement() throws {
        var tally = VectorTally("own.json ecdh")
        for (index, test) in own.ecdh.enumerated() {
            tally.count("agreement \(index)") {
                let key = try P256.KeyAgreement.PrivateKey(rawRepresentation: hex(test.private))
                guard try [UInt8](key.publicKey.x963Representation) == hex(test.public) else {
                    return .failed("another public key")
                }
                return try VectorJudge.agreement(
                    private: hex(test.private), point: hex(test.peer), shared: hex(test.shared), result: "valid")
            }
        }
        tally.expectAll(4)
    }

    @Test(arguments: [("hpke.json", 4), ("rfc9180.json", 2)])
    func hpke(_ name: String, _ expected: Int) throws {
        var tally = VectorTally(name)
        for (index, vector) in try HPKEVector.vectors(contentsOf: OwnVectors.file(name)).enumerated() {
            tally.count("vector \(index)") { try VectorJudge.hpke(vector) }
        }
        #expect(tally.notApplicable.isEmpty)
        tally.expectAll(expected)
    }
}
