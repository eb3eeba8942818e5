import EnvelopeFormat

/// JSON of Project Wycheproof (`testvectors_v1`, and the older ones, which are alike).
///
/// Only cases of algorithms that are used are read; of the others, some of which are long, they are counted.
enum WycheproofVectors: VectorFormat {
    /// Judges a case of a group; the members of the group beside its cases are given.
    typealias Judge = @Sendable (_ test: JSONValue, _ group: [String: JSONValue]) throws -> VectorOutcome

    static func recognizes(_ file: VectorFile) -> Bool {
        file.member("algorithm")?.text != nil
            && ["numberOfTests", "schema", "generatorVersion"].contains { file.member($0) != nil }
    }

    static func judge(_ file: VectorFile) throws(FormatError) -> VectorTally {
        let whole = try file.whole()
        guard let algorithm = file.member("algorithm")?.text, let count = file.member("numberOfTests")?.plainInteger else {
            throw FormatError(field: "numberOfTests", reason: "missing or not a whole number")
        }
        var tally = VectorTally("Wycheproof \(algorithm)")
        for group in try file.elements("testGroups", of: whole) {
            let tests = try file.elements("tests", of: group)
            guard let judge = judges[algorithm] else {
                tally.passOver(tests.count, "\(algorithm) is not used")
                continue
            }
            var members: [String: JSONValue] = [:]
            for name in ["curve", "encoding", "publicKey"] {
                guard let range = file.json.member(name, of: group) else { continue }
                members[name] = try file.json.value(range, maximumDepth: 8)
            }
            for range in tests {
                let test = try file.json.value(range, maximumDepth: 8)
                let number = try test.integer("tcId")
                try tally.count("case \(number)") { try judge(test, members) }
            }
        }
        try tally.expect(Int(count), "numberOfTests")
        return tally
    }

    /// By the name that files give their algorithm.
    private static let judges: [String: Judge] = [
        "AES-GCM": { test, _ in try VectorJudge.aesGCM(try sealed(test)) },
        "XCHACHA20-POLY1305": { test, _ in try VectorJudge.wrap(try sealed(test)) },
        "HKDF-SHA-256": { test, _ in
            try VectorJudge.hkdf(
                ikm: test.bytes("ikm"), salt: test.bytes("salt"), info: test.bytes("info"), size: test.integer("size"),
                okm: result(test) == "valid" ? test.bytes("okm") : nil)
        },
        "HMACSHA256": { test, _ in
            try VectorJudge.hmac(
                key: test.bytes("key"), message: test.bytes("msg"), tag: test.bytes("tag"), isValid: result(test) == "valid")
        },
        "EDDSA": { test, group in
            let key = try (group["publicKey"] ?? .null).bytes("pk")
            guard key.count == 32 else { return .notApplicable("another curve than Ed25519") }
            return try VectorJudge.signature(test.bytes("sig"), of: test.bytes("msg"), by: key, isValid: result(test) == "valid")
        },
        "ECDH": { test, group in
            guard group["curve"]?.text == "secp256r1" else { return .notApplicable("another curve than P-256") }
            switch group["encoding"]?.text {
            case "ecpoint": return try agreement(test, try test.bytes("public"))
            case "asn":
                // SubjectPublicKeyInfo of id-ecPublicKey, secp256r1, and a bit string of 65 bytes (RFC 5480).
                let prefix = try Hexadecimal.bytes("3059301306072a8648ce3d020106082a8648ce3d030107034200", "prefix")
                let encoded = try test.bytes("public")
                guard encoded.starts(with: prefix), encoded.count == prefix.count + 65 else {
                    return .notApplicable("another ASN.1 than a named curve and a point, which is all that is read")
                }
                return try agreement(test, [UInt8](encoded.dropFirst(prefix.count)))
            default: return .notApplicable("keys in an encoding that is not read")
            }
        },
    ]

    private static func agreement(_ test: JSONValue, _ point: [UInt8]) throws -> VectorOutcome {
        VectorJudge.agreement(private: try test.bytes("private"), point: point, shared: try test.bytes("shared"), result: try result(test))
    }

    private static func sealed(_ test: JSONValue) throws(FormatError) -> VectorJudge.Sealed {
        VectorJudge.Sealed(
            key: try test.bytes("key"), nonce: try test.bytes("iv"), authenticated: try test.bytes("aad"), ciphertext: try test.bytes("ct"),
            tag: try test.bytes("tag"), message: try result(test) == "valid" ? try test.bytes("msg") : nil)
    }

    private static func result(_ test: JSONValue) throws(FormatError) -> String {
        let result = try test.text("result")
        guard ["valid", "invalid", "acceptable"].contains(result) else { throw FormatError(field: "result", reason: "unknown") }
        return result
    }
}
