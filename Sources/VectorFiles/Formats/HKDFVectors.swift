import EnvelopeFormat

/// Texts of HKDF: the test cases of RFC 5869, and such as are written like them.
enum HKDFVectors: VectorFormat {
    static func recognizes(_ file: VectorFile) -> Bool { file.names.isSuperset(of: ["count", "ikm", "salt", "info", "l", "okm"]) }

    static func judge(_ file: VectorFile) throws(FormatError) -> VectorTally {
        var tally = VectorTally("RFC 5869 HKDF")
        try VectorRecord.forEach(in: file.bytes) { (record) throws(FormatError) in
            try tally.count("count \(record.number)") {
                if let hash = record.fields["Hash"], hash != "SHA-256" { return .notApplicable("hash \(hash)") }
                let (size, okm) = (try record.number("L"), try record.bytes("OKM"))
                guard okm.count == size else { throw FormatError(field: "OKM", reason: "not as long as L says") }
                return try VectorJudge.hkdf(
                    ikm: record.bytes("IKM"), salt: record.bytes("salt"), info: record.bytes("info"), size: size,
                    prk: record.has("PRK") ? record.bytes("PRK") : nil, okm: okm)
            }
        }
        return tally
    }
}
