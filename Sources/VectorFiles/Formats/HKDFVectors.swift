import EnvelopeFormat

/// Texts of HKDF: the test cases of RFC 5869, and such as are written like them.
enum HKDFVectors: VectorFormat {
    private static let lines: Set<String> = ["Hash", "IKM", "salt", "info", "L", "OKM"]
    private static let byteCounts = ["SHA-1": 20, "SHA-224": 28, "SHA-256": 32, "SHA-384": 48, "SHA-512": 64]

    static func recognizes(_ file: VectorFile) -> Bool {
        !file.names.isDisjoint(with: ["ikm", "prk", "okm"])
            || file.hasOnly(["count", "hash", "ikm", "salt", "info", "l", "prk", "okm"], andOneOf: ["hash", "info"])
    }

    static func judge(_ file: VectorFile, into tally: inout VectorTally) throws(FormatError) {
        tally.title = "RFC 5869 HKDF"
        // The RFC's own are numbered over its two hashes: SHA-1 begins at 4.
        let starts = file.bytes.split(separator: 0x0A).contains { VectorLine($0)?.value == "SHA-1" } ? 0...4 : 0...1
        // The RFC's have the key in between; of others, that begin at 0, all have it or none.
        var needsKey: Bool?
        try VectorRecord.forEach(in: file.bytes, numberedFrom: starts) { (record) throws(FormatError) in
            let isKeyNeeded = needsKey ?? (Int(record.number) != 0 || record.has("PRK"))
            needsKey = isKeyNeeded
            tally.count("count \(record.number)") {
                try record.checkLines(isKeyNeeded ? lines.union(["PRK"]) : lines)
                return try judge(record)
            }
        }
    }

    private static func judge(_ record: VectorRecord) throws -> VectorOutcome {
        let hash = record.fields["Hash"] ?? ""
        guard let byteCount = byteCounts[hash] else { throw NeitherNor.unknown("Hash", hash) }
        let prk = record.has("PRK") ? try record.bytes("PRK") : nil
        if let prk, prk.count != byteCount { throw FormatError(field: "PRK", reason: "not as long as Hash has it") }
        let (size, okm) = (try record.number("L"), try record.bytes("OKM"))
        guard okm.count == size else { throw FormatError(field: "OKM", reason: "not as long as L says") }
        let outcome = try VectorJudge.hkdf(
            ikm: record.bytes("IKM"), salt: record.bytes("salt"), info: record.bytes("info"), size: size, prk: prk, okm: okm)
        if hash == "SHA-256" { return outcome }
        if outcome == .passed { throw NeitherNor.ours("Hash", hash) }
        return .notApplicable("hash \(hash)")
    }
}
