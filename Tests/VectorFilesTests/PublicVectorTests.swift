import EnvelopeFormat
import Foundation
import TestSupport
import Testing
import VectorFiles

/// The public sets, from the folder that `WAXWING_VECTORS` names: what becomes of each of their cases, to the number.
@Suite(.enabled(if: PublicVectors.folder != nil, Comment(rawValue: PublicVectors.absence)))
struct PublicVectorTests {
    /// What is expected of a file. How many cases are not applicable follows.
    struct Expected: Sendable {
        let path: String
        let cases, passed, refused: Int

        init(_ path: String, _ cases: Int, passed: Int, refused: Int) {
            (self.path, self.cases, self.passed, self.refused) = (path, cases, passed, refused)
        }
    }

    static let files = [
        Expected("jose-hpke/jose-vectors.json", 16, passed: 1, refused: 0),
        Expected("nist-cavp/gcmDecrypt256.subset.rsp", 870, passed: 184, refused: 191),
        Expected("nist-cavp/gcmEncryptExtIV256.subset.rsp", 870, passed: 375, refused: 0),
        Expected("rfc5869/hkdf-generated.txt", 1, passed: 1, refused: 0),
        Expected("rfc5869/rfc-5869-HKDF-SHA256.txt", 3, passed: 3, refused: 0),
        Expected("rfc7748/x25519.txt", 3, passed: 0, refused: 0),
        Expected("rfc9106/argon2id.txt", 6, passed: 3, refused: 0),
        Expected("rfc9180/hpke-vectors.subset.json", 16, passed: 2, refused: 0),
        Expected("wycheproof/aes_gcm_test.json", 316, passed: 39, refused: 27),
        Expected("wycheproof/chacha20_poly1305_test.json", 325, passed: 0, refused: 0),
        Expected("wycheproof/ecdh_secp256r1_ecpoint_test.json", 355, passed: 330, refused: 25),
        Expected("wycheproof/ecdh_secp256r1_test.json", 612, passed: 330, refused: 19),
        Expected("wycheproof/ed25519_test.json", 151, passed: 88, refused: 63),
        Expected("wycheproof/hkdf_sha256_test.json", 86, passed: 83, refused: 3),
        Expected("wycheproof/hmac_sha256_test.json", 174, passed: 66, refused: 108),
        Expected("wycheproof/x25519_test.json", 518, passed: 0, refused: 0),
        Expected("wycheproof/xchacha20_poly1305_test.json", 315, passed: 246, refused: 60),
    ]

    @Test(arguments: files) func everyCaseIsJudged(_ expected: Expected) throws {
        let tally = try #require(try VectorFormats.judge(ProjectFolder.bytes(PublicVectors.file(expected.path))))
        #expect(tally.failures == [])
        #expect(tally.cases == expected.cases && tally.passed == expected.passed && tally.refused == expected.refused)
        #expect(tally.outside == expected.cases - expected.passed - expected.refused)
        print(
            "\(expected.path): \(tally.cases) cases, \(tally.passed) passed, \(tally.refused) refused as they must be,",
            "\(tally.outside) not applicable: \(tally.notApplicable.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" })")
    }

    /// Counted by another reader, in ways that know nothing of what the cases are about.
    @Test(arguments: files) func thereAreAsManyAsTheFileHas(_ expected: Expected) throws {
        let data = try Data(contentsOf: PublicVectors.file(expected.path))
        let count: Int
        switch (expected.path as NSString).pathExtension {
        case "json":
            switch try JSONSerialization.jsonObject(with: data) {
            case let vectors as [Any]: count = vectors.count
            case let file as [String: Any]: count = try #require(file["numberOfTests"] as? Int)
            default: count = -1
            }
        default: count = String(decoding: data, as: UTF8.self).split(separator: "\n").count { $0.lowercased().hasPrefix("count =") }
        }
        #expect(count == expected.cases)
    }

    /// Every value of a vector of HPKE is compared: one that is changed fails it, and one that is missing is damage.
    @Test func everyValueOfHPKEIsCompared() throws {
        let data = try Data(contentsOf: PublicVectors.file("rfc9180/hpke-vectors.subset.json"))
        let vectors = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
        func number(_ vector: [String: Any], _ name: String) -> Int? { vector[name] as? Int }
        let ours = vectors.filter { number($0, "kem_id") == 16 && number($0, "aead_id") == 2 && number($0, "mode").map { $0 < 2 } == true }
        try #require(ours.count == 2)
        for vector in ours {
            func judge(_ name: String, _ value: Any) throws -> VectorTally? {
                var changed = vector
                changed[name] = value
                return try VectorFormats.judge(Array(JSONSerialization.data(withJSONObject: [changed])))
            }
            let texts = vector.compactMapValues { $0 as? String }
            #expect(texts.count >= 14)
            for (name, text) in texts where !text.isEmpty {
                let tally = try #require(try judge(name, text.dropLast() + (text.hasSuffix("0") ? "1" : "0")))
                #expect(tally.failures.count == 1, "\(name)")
            }
            for name in ["encryptions", "exports"] { #expect(throws: FormatError.self) { try judge(name, [Any]()) } }
            for (name, id) in [("kem_id", 17), ("kdf_id", 3), ("aead_id", 1), ("mode", 4)] {
                #expect(throws: FormatError.self, "\(name)") { try judge(name, id) }
            }
            var messages = try #require(vector["encryptions"] as? [[String: Any]])
            messages[1]["nonce"] = messages[0]["nonce"]
            #expect(try judge("encryptions", messages)?.failures.count == 1)
        }
    }

    /// The list of the folder names no file that is not looked at.
    @Test func noFileIsLeftOut() throws {
        let sums = try String(contentsOf: PublicVectors.file("SHA256SUMS"), encoding: .utf8)
        let listed = sums.split(separator: "\n").compactMap { $0.split(separator: " ").last.map { String($0).replacing("./", with: "") } }
        let others: Set = ["SOURCES.txt", "wycheproof/LICENSE"]
        #expect(Set(listed).subtracting(others) == Set(Self.files.map(\.path)))
        for path in others {
            let tally = try VectorFormats.judge(ProjectFolder.bytes(PublicVectors.file(path)))
            #expect(tally == nil)
        }
        let sources = try String(contentsOf: PublicVectors.file("SOURCES.txt"), encoding: .utf8)
        #expect(sources.contains("16 of 128 vectors"))
    }
}
