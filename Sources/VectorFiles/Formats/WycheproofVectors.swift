import EnvelopeFormat

/// JSON of Project Wycheproof (`testvectors_v1`, and the older ones, which are alike).
///
/// Only cases of algorithms that are used are read; of the others, some of which are long, they are counted.
enum WycheproofVectors: VectorFormat {
    /// Judges a case of a group as one that is valid or not.
    typealias Judge = @Sendable (_ test: JSONValue, _ group: WycheproofGroup, _ isValid: Bool) throws -> VectorOutcome

    static func recognizes(_ file: VectorFile) -> Bool {
        file.member("algorithm")?.text != nil
            && ["numberOfTests", "schema", "generatorVersion"].contains { file.member($0) != nil }
    }

    static func judge(_ file: VectorFile, into tally: inout VectorTally) throws(FormatError) {
        let whole = try file.whole()
        guard let algorithm = file.member("algorithm")?.text, let count = file.member("numberOfTests")?.plainInteger else {
            throw FormatError(field: "numberOfTests", reason: "missing or not a whole number")
        }
        tally.title = "Wycheproof \(algorithm)"
        var numbers = Set<Int>()
        for group in try file.elements("testGroups", of: whole) {
            let tests = try file.elements("tests", of: group)
            guard let judge = judges[algorithm] else {
                tally.passOver(tests.count, "\(algorithm) is not used")
                continue
            }
            let members = try WycheproofGroup(file.json, group)
            for range in tests {
                let test = try file.json.value(range, maximumDepth: 8)
                let number = try test.integer("tcId")
                if !numbers.insert(number).inserted { tally.damaged(FormatError(field: "case \(number), tcId", reason: "there twice")) }
                tally.count("case \(number)") { try outcome(test, members, judge) }
            }
        }
        try tally.expect(Int(count), "numberOfTests")
    }

    /// What is `acceptable` may be taken, and then rightly, or refused.
    private static func outcome(_ test: JSONValue, _ group: WycheproofGroup, _ judge: Judge) throws -> VectorOutcome {
        let result = try test.text("result")
        guard ["valid", "invalid", "acceptable"].contains(result) else { throw FormatError(field: "result", reason: "unknown") }
        guard result == "acceptable" else { return try judge(test, group, result == "valid") }
        let refused = try judge(test, group, false)
        guard case .failed = refused else { return refused }
        return try judge(test, group, true)
    }

    /// By the name that files give their algorithm.
    private static let judges: [String: Judge] = [
        "AES-GCM": { test, group, isValid in try VectorJudge.aesGCM(try sealed(test, group, isValid)) },
        "XCHACHA20-POLY1305": { test, group, isValid in try VectorJudge.wrap(try sealed(test, group, isValid)) },
        "HKDF-SHA-256": { test, group, isValid in
            let (ikm, size) = (try group.bytes("ikm", of: test, "keySize"), try test.integer("size"))
            let okm = isValid ? try test.bytes("okm") : nil
            if let okm, okm.count != size { throw FormatError(field: "okm", reason: "not as long as size says") }
            return try VectorJudge.hkdf(ikm: ikm, salt: test.bytes("salt"), info: test.bytes("info"), size: size, okm: okm)
        },
        "HMACSHA256": { test, group, isValid in
            let key = try group.bytes("key", of: test, "keySize")
            let tag = try group.bytes("tag", of: test, "tagSize")
            return try VectorJudge.hmac(key: key, message: test.bytes("msg"), tag: tag, byteCount: tag.count, isValid: isValid)
        },
        "EDDSA": { test, group, isValid in
            let publicKey = group["publicKey"] ?? .null
            let curve = try publicKey.text("curve")
            if ["edwards448", "Ed448"].contains(curve) { return .notApplicable("another curve than Ed25519") }
            let key = try publicKey.bytes("pk")
            guard curve == "edwards25519", key.count == 32 else {
                throw FormatError(field: "publicKey", reason: "no curve that is known, or a key of another length")
            }
            return try VectorJudge.signature(test.bytes("sig"), of: test.bytes("msg"), by: key, isValid: isValid)
        },
        "ECDH": { test, group, isValid in
            guard let curve = group["curve"]?.text, WycheproofGroup.isCurve(curve) else {
                throw FormatError(field: "curve", reason: "none that is known")
            }
            guard curve == "secp256r1" else { return .notApplicable("another curve than P-256") }
            switch group["encoding"]?.text {
            case "ecpoint": return try agreement(test, try test.bytes("public"))
            case "asn":
                // SubjectPublicKeyInfo of id-ecPublicKey, secp256r1, and a bit string of 65 bytes (RFC 5480).
                let prefix = try Hexadecimal.bytes("3059301306072a8648ce3d020106082a8648ce3d030107034200", "prefix")
                let encoded = try test.bytes("public")
                guard encoded.starts(with: prefix), encoded.count == prefix.count + 65 else {
                    // A sequence that ends where the bytes do, if this is a key at all.
                    guard !isValid || encoded.count > 1 && encoded[0] == 0x30 && Int(encoded[1]) == encoded.count - 2 || encoded.count > 129
                    else { throw FormatError(field: "public", reason: "cut off, or no ASN.1") }
                    return .notApplicable("another ASN.1 than a named curve and a point, which is all that is read")
                }
                return try agreement(test, [UInt8](encoded.dropFirst(prefix.count)))
            case "pem", "jwk", "webcrypto": return .notApplicable("keys in an encoding that is not read")
            default: throw FormatError(field: "encoding", reason: "none that is known")
            }
        },
    ]

    private static func agreement(_ test: JSONValue, _ point: [UInt8]) throws -> VectorOutcome {
        VectorJudge.agreement(
            private: try test.bytes("private"), point: point, shared: try test.bytes("shared"), result: try test.text("result"))
    }

    private static func sealed(_ test: JSONValue, _ group: WycheproofGroup, _ isValid: Bool) throws(FormatError) -> VectorJudge.Sealed {
        let (key, nonce) = (try group.bytes("key", of: test, "keySize"), try group.bytes("iv", of: test, "ivSize"))
        let (ciphertext, message) = (try test.bytes("ct"), try test.bytes("msg"))
        // Of a nonce that cannot be there is no tag, nor a ciphertext.
        let givenTag = try test.bytes("tag")
        let tag = isValid || !givenTag.isEmpty ? try group.bytes("tag", of: test, "tagSize") : []
        guard ciphertext.count == message.count || !isValid else { throw FormatError(field: "ct", reason: "not as long as msg") }
        return VectorJudge.Sealed(
            key: key, nonce: nonce, authenticated: try test.bytes("aad"), ciphertext: ciphertext, tag: tag,
            message: isValid ? message : nil)
    }
}
