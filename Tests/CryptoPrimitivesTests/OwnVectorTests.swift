import Foundation
import TestSupport
import Testing
import VectorFiles

@testable import CryptoPrimitives

/// Known answers that come with the sources, by another implementation.
@Suite struct OwnVectorTests {
    let own: OwnVectors

    init() throws {
        own = try OwnVectors.read()
    }

    /// Judges each, and expects so many that pass.
    private func all<Case>(_ cases: [Case], _ expected: Int, _ judge: (Case) throws -> VectorOutcome) throws {
        #expect(cases.count == expected)
        for (index, test) in cases.enumerated() {
            let outcome = try judge(test)
            #expect(outcome == .passed, "\(index)")
        }
    }

    @Test func aesGCM() throws {
        try all(own.aes256gcm, 9) { test in
            try VectorJudge.aesGCM(
                .init(
                    key: hex(test.key), nonce: hex(test.nonce), authenticated: hex(test.aad), ciphertext: hex(test.ct),
                    tag: hex(test.tag), message: hex(test.msg)))
        }
    }

    @Test func hmacAndHash() throws {
        try all(own.hmac, 7) { test in
            guard try [UInt8](SHA256.hash(data: hex(test.msg))) == hex(test.sha256) else { return .failed("another digest") }
            return try VectorJudge.hmac(
                key: hex(test.key), message: hex(test.msg), tag: hex(test.tag), byteCount: test.tag.count / 2, isValid: true)
        }
    }

    @Test func hkdf() throws {
        try all(own.hkdf, 6) { test in
            let okm = try hex(test.okm)
            return try VectorJudge.hkdf(
                ikm: hex(test.ikm), salt: hex(test.salt), info: hex(test.info), size: okm.count, prk: hex(test.prk), okm: okm)
        }
    }

    @Test func agreement() throws {
        try all(own.ecdh, 4) { test in
            let key = try P256.KeyAgreement.PrivateKey(rawRepresentation: hex(test.private))
            guard try [UInt8](key.publicKey.x963Representation) == hex(test.public) else { return .failed("another public key") }
            return try VectorJudge.agreement(
                private: hex(test.private), point: hex(test.peer), shared: hex(test.shared), result: "valid")
        }
    }

    @Test(arguments: [("hpke.json", 4), ("rfc9180.json", 2), ("rfc5869.txt", 3)])
    func files(_ name: String, _ expected: Int) throws {
        let tally = try #require(try VectorFormats.judge(ProjectFolder.bytes(OwnVectors.file(name))))
        #expect(tally.failures == [] && tally.passed == expected && tally.cases == expected, "\(name)")
    }
}
