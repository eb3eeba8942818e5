import EnvelopeFormat

/// Texts of HKDF: the test cases of RFC 5869, and such as are written like them.
enum HKDFVectors: VectorFormat {
    static func recognizes(_ file: VectorFile) -> Bool { file.names.isSuperset(of: ["count", "ikm", "salt", "info", "l", "okm"]) }

    private static let byteCounts = ["SHA-1": 20, "SHA-224": 28, "SHA-256": 32, "SHA-384": 48, "SHA-512": 64]

    static func judge(_ file: VectorFile, into tally: inout VectorTally) throws(FormatError) {
        tally.title = "RFC 5869 HKDF"
        // The RFC's own are numbered over its two hashes: SHA-1 begins at 4.
        let starts = file.bytes.split(separator: 0x0A).contains { VectorLine($0)?.value == "SHA-1" } ? 0...4 : 0...1
        try VectorRecord.forEach(in: file.bytes, numberedFrom: starts) { (record) throws(FormatError) in
            tally.count("count \(record.number)") {
                let hash = record.fields["Hash"] ?? "SHA-256"
                guard let byteCount = byteCounts[hash] else { throw FormatError(field: "Hash", reason: "none that is known") }
                guard try !record.has("PRK") || record.bytes("PRK").count == byteCount else {
                    throw FormatError(field: "PRK", reason: "not as long as Hash has it")
                }
                guard hash == "SHA-256" else { return .notApplicable("hash \(hash)") }
                let (size, okm) = (try record.number("L"), try record.bytes("OKM"))
                guard okm.count == size else { throw FormatError(field: "OKM", reason: "not as long as L says") }
                return try VectorJudge.hkdf(
                    ikm: record.bytes("IKM"), salt: record.bytes("salt"), info: record.bytes("info"), size: size,
                    prk: record.has("PRK") ? record.bytes("PRK") : nil, okm: okm)
            }
        }
    }
}
