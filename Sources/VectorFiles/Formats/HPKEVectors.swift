import EnvelopeFormat

/// RFC 9180's `test-vectors.json`.
enum HPKEVectors: VectorFormat {
    static func recognizes(_ file: VectorFile) -> Bool { file.firstElement.map { file.json.member("kem_id", of: $0) != nil } ?? false }

    static func judge(_ file: VectorFile, into tally: inout VectorTally) throws(FormatError) {
        tally.title = "RFC 9180 HPKE"
        var counts: [String: Int] = [:]
        for (index, range) in (file.json.elements(try file.whole()) ?? []).enumerated() {
            tally.count("vector \(index)") {
                let vector = try file.json.value(range, maximumDepth: 8)
                try HPKELengths.check(vector)
                if let why = try other(vector) {
                    // What has the lengths of ours is put to ours, which must not answer it.
                    let isOurs = try vector.bytes("enc").count == 65 && HPKERun.answers(vector)
                    if isOurs { throw NeitherNor.ours("kem_id, kdf_id, aead_id or mode", why) }
                    return .notApplicable(why)
                }
                for name in ["encryptions", "exports"] {
                    let count = try vector.elements(name).count
                    guard counts.updateValue(count, forKey: name).map({ $0 == count }) ?? true else {
                        throw FormatError(field: name, reason: "another number than in the vector before")
                    }
                }
                var run = try HPKERun(vector)
                return try run.failure().map { .failed("another \($0)") } ?? .passed
            }
        }
    }

    /// Why a vector is of another suite or mode; nil of ours.
    private static func other(_ vector: JSONValue) throws(FormatError) -> String? {
        guard try vector.integer("kem_id") == 0x0010 else { return "another KEM than P-256's" }
        guard try vector.integer("kdf_id") == 0x0001 else { return "another KDF than HKDF-SHA256" }
        guard try vector.integer("aead_id") == 0x0002 else { return "another AEAD than AES-256-GCM" }
        return try vector.integer("mode") < 2 ? nil : "a mode with a sender's key"
    }
}
