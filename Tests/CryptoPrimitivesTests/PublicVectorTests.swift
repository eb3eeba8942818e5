import Foundation
import TestSupport
import Testing

@testable import CryptoPrimitives

/// The public sets, from the folder that `WAXWING_VECTORS` names.
@Suite(.enabled(if: VectorFiles.folder != nil, Comment(rawValue: VectorFiles.absence)))
struct PublicVectorTests {
    @Test(arguments: ["gcmEncryptExtIV256", "gcmDecrypt256"])
    func nistGCM(_ name: String) throws {
        let path = "nist-cavp/\(name).subset.rsp"
        let text = try String(contentsOf: VectorFiles.file(path), encoding: .utf8)
        var tally = VectorTally(path)
        for record in VectorRecord.records(in: text, beginningWith: "Count") {
            tally.count("\(record.group) \(record.fields["Count"] ?? "")") {
                let message = record.fields["FAIL"] == nil ? try record.bytes("PT") : nil
                return try VectorJudge.aesGCM(
                    .init(
                        key: record.bytes("Key"), nonce: record.bytes("IV"), authenticated: record.bytes("AAD"),
                        ciphertext: record.bytes("CT"), tag: record.bytes("Tag"), message: message))
            }
        }
        tally.expectAll(text.split(whereSeparator: \.isNewline).count { $0.hasPrefix("Count") })
    }

    @Test func wycheproofAESGCM() throws {
        try wycheproof("aes_gcm_test.json") { test in
            try VectorJudge.aesGCM(
                .init(
                    key: test.bytes(\.key), nonce: test.bytes(\.iv), authenticated: test.bytes(\.aad),
                    ciphertext: test.bytes(\.ct), tag: test.bytes(\.tag),
                    message: test.result == "valid" ? test.bytes(\.msg) : nil))
        }
    }

    @Test func wycheproofECDHPoints() throws {
        try wycheproof("ecdh_secp256r1_ecpoint_test.json") { test in
            try VectorJudge.agreement(
                private: test.bytes(\.private), point: test.bytes(\.public), shared: test.bytes(\.shared),
                result: test.result)
        }
    }

    @Test func wycheproofECDH() throws {
        // SubjectPublicKeyInfo of id-ecPublicKey, secp256r1, and a bit string of 65 bytes (RFC 5480).
        let prefix = try hex("3059301306072a8648ce3d020106082a8648ce3d030107034200")
        try wycheproof("ecdh_secp256r1_test.json") { test in
            let encoded = try test.bytes(\.public)
            guard encoded.starts(with: prefix), encoded.count == prefix.count + 65 else {
                return .notApplicable("\(test.result) key not in the named-curve form: points only, no ASN.1 is read")
            }
            return try VectorJudge.agreement(
                private: test.bytes(\.private), point: [UInt8](encoded.dropFirst(prefix.count)),
                shared: test.bytes(\.shared), result: test.result)
        }
    }

    @Test func wycheproofHKDF() throws {
        try wycheproof("hkdf_sha256_test.json") { test in
            try VectorJudge.hkdf(
                ikm: test.bytes(\.ikm), salt: test.bytes(\.salt), info: test.bytes(\.info), size: test.size ?? 0,
                okm: test.result == "valid" ? test.bytes(\.okm) : nil)
        }
    }

    @Test func wycheproofHMAC() throws {
        try wycheproof("hmac_sha256_test.json") { test in
            try VectorJudge.hmac(
                key: test.bytes(\.key), message: test.bytes(\.msg), tag: test.bytes(\.tag),
                isValid: test.result == "valid")
        }
    }

    @Test(arguments: ["rfc-5869-HKDF-SHA256.txt", "hkdf-generated.txt"])
    func hkdfText(_ name: String) throws {
        let path = "rfc5869/\(name)"
        try tallyHKDF(path, text: String(contentsOf: VectorFiles.file(path), encoding: .utf8))
    }

    @Test func rfc9180() throws {
        let path = "rfc9180/hpke-vectors.subset.json"
        let file = try VectorFiles.file(path)
        let vectors = try HPKEVector.vectors(contentsOf: file)
        var tally = VectorTally(path)
        for (index, vector) in vectors.enumerated() {
            tally.count("vector \(index)") { try VectorJudge.hpke(vector) }
        }
        let entries = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [Any]
        tally.expectAll(entries?.count ?? -1)
    }

    private func wycheproof(_ name: String, _ judge: (WycheproofFile.Case) throws -> VectorOutcome) throws {
        let path = "wycheproof/\(name)"
        let file = try WycheproofFile(contentsOf: VectorFiles.file(path))
        var tally = VectorTally(path)
        for test in file.testGroups.flatMap(\.tests) {
            tally.count("case \(test.tcId) \(test.comment)") { try judge(test) }
        }
        tally.expectAll(file.numberOfTests)
    }
}

/// Judges a text of HKDF cases; where a case names a PRK, extraction is compared too.
func tallyHKDF(_ path: String, text: String) throws {
    var tally = VectorTally(path)
    for record in VectorRecord.records(in: text, beginningWith: "COUNT") {
        tally.count("case \(record.fields["COUNT"] ?? "")") {
            let (ikm, salt) = try (record.bytes("IKM"), record.bytes("salt"))
            if record.fields["PRK"] != nil {
                let prk = HKDF<SHA256>.extract(inputKeyMaterial: SymmetricKey(data: ikm), salt: salt)
                guard try [UInt8](prk) == record.bytes("PRK") else { return .failed("another pseudorandom key") }
            }
            return try VectorJudge.hkdf(
                ikm: ikm, salt: salt, info: record.bytes("info"), size: record.number("L"), okm: record.bytes("OKM"))
        }
    }
    tally.expectAll(text.split(whereSeparator: \.isNewline).count { $0.hasPrefix("COUNT") })
}
