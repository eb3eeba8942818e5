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
            let members = try WycheproofGroup(file.json, group)
            guard let judge = judges[algorithm] else {
                try checkIsAnother(algorithm, tests.lazy.compactMap { try? file.json.value($0, maximumDepth: 8) }, members)
                tally.passOver(tests.count, "\(algorithm) is not used")
                continue
            }
            for range in tests {
                let test = try file.json.value(range, maximumDepth: 8)
                let number = try test.integer("tcId")
                if !numbers.insert(number).inserted { tally.damaged(FormatError(field: "case \(number), tcId", reason: "there twice")) }
                tally.count("case \(number)") { try outcome(test, members, judge) }
            }
        }
        try tally.expect(Int(count), "numberOfTests")
    }

    /// - Throws: for a name that is on no list, and for one of another algorithm where ours answers the first case that is valid.
    private static func checkIsAnother(
        _ algorithm: String, _ tests: some Sequence<JSONValue>, _ group: WycheproofGroup
    ) throws(FormatError) {
        guard WycheproofNames.algorithms.contains(algorithm) else { throw NeitherNor.unknown("algorithm", algorithm) }
        guard let test = tests.first(where: { $0["result"]?.text == "valid" }) else { return }
        let isOurs = judges.values.contains { judge in (try? judge(test, group, true)) == .passed }
        if isOurs { throw NeitherNor.ours("algorithm", algorithm) }
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
            let (key, signature) = (try publicKey.bytes("pk"), try test.bytes("sig"))
            let byteCounts = ["edwards25519": 32, "edwards448": 57, "Ed448": 57]
            guard let byteCount = byteCounts[curve] else { throw NeitherNor.unknown("curve", curve) }
            guard key.count == byteCount, !isValid || signature.count == 2 * byteCount else {
                throw FormatError(field: "curve", reason: "\(curve), and key or signature has another length")
            }
            if curve != "edwards25519" { return .notApplicable("another curve than Ed25519") }
            return try VectorJudge.signature(signature, of: test.bytes("msg"), by: key, isValid: isValid)
        },
        "ECDH": { test, group, isValid in try WycheproofAgreement.judge(test, group, isValid) },
    ]

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
