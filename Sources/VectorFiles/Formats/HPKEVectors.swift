import EnvelopeFormat

/// RFC 9180's `test-vectors.json`.
enum HPKEVectors: VectorFormat {
    static func recognizes(_ file: VectorFile) -> Bool { file.firstElement.map { file.json.member("kem_id", of: $0) != nil } ?? false }

    static func judge(_ file: VectorFile) throws(FormatError) -> VectorTally {
        var tally = VectorTally("RFC 9180 HPKE")
        for (index, range) in (file.json.elements(try file.whole()) ?? []).enumerated() {
            try tally.count("vector \(index)") {
                let vector = try file.json.value(range, maximumDepth: 8)
                guard try vector.integer("kem_id") == 0x0010 else { return .notApplicable("another KEM than P-256's") }
                guard try vector.integer("kdf_id") == 0x0001 else { return .notApplicable("another KDF than HKDF-SHA256") }
                guard try vector.integer("aead_id") == 0x0002 else { return .notApplicable("another AEAD than AES-256-GCM") }
                guard try vector.integer("mode") < 2 else { return .notApplicable("a mode with a sender's key") }
                var run = try HPKERun(vector)
                return try run.failure().map { .failed("another \($0)") } ?? .passed
            }
        }
        return tally
    }
}
