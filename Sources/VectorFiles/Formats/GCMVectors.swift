import EnvelopeFormat

/// NIST CAVP's `.rsp` files of AES-GCM, encryption and decryption alike: what must be refused says `FAIL`.
enum GCMVectors: VectorFormat {
    private static let brackets: Set<String> = ["keylen", "ivlen", "ptlen", "aadlen", "taglen"]

    static func recognizes(_ file: VectorFile) -> Bool {
        // By what stands in brackets, of which some may be missing: records may lack what they should have. XPN's have a salt.
        brackets.count { file.names.contains($0) } >= 3 && !file.names.contains("salt")
            || file.hasOnly(brackets.union(["count", "key", "iv", "ct", "aad", "tag", "pt", "fail"]), andOneOf: brackets)
    }

    static func judge(_ file: VectorFile, into tally: inout VectorTally) throws(FormatError) {
        tally.title = "NIST CAVP AES-GCM"
        var sizes: [Int] = []
        try VectorRecord.forEach(in: file.bytes) { (record) throws(FormatError) in
            if Int(record.number) == 0 { sizes.append(0) }
            sizes[sizes.count - 1] += 1
            tally.count(name(of: record)) { try judge(record) }
        }
        guard let size = sizes.first else { throw FormatError(field: "Count", reason: "there is no record") }
        if let other = sizes.firstIndex(where: { $0 != size }) {
            throw FormatError(field: "group \(other + 1)", reason: "\(sizes[other]) records, where the first has \(size)")
        }
    }

    private static func judge(_ record: VectorRecord) throws -> VectorOutcome {
        func field(_ name: String, _ length: String) throws(FormatError) -> [UInt8] {
            let bytes = try record.bytes(name)
            guard bytes.count * 8 == (try record.number(length)) else {
                throw FormatError(field: name, reason: "\(bytes.count * 8) bits where \(length) says another number")
            }
            return bytes
        }
        try record.checkLines(["Key", "IV", "CT", "AAD", "Tag"], orElse: ["PT", "FAIL"])
        let isRefused = record.has("FAIL")
        guard isRefused != record.has("PT") else { throw FormatError(field: "PT", reason: "one of PT and FAIL must be there") }
        return try VectorJudge.aesGCM(
            .init(
                key: field("Key", "Keylen"), nonce: field("IV", "IVlen"), authenticated: field("AAD", "AADlen"),
                ciphertext: field("CT", "PTlen"), tag: field("Tag", "Taglen"), message: isRefused ? nil : field("PT", "PTlen")))
    }

    private static func name(of record: VectorRecord) -> String {
        let group = ["Keylen", "IVlen", "PTlen", "AADlen", "Taglen"].map { "\($0) \(record.group[$0] ?? "?")" }
        return "count \(record.number) of \(group.joined(separator: " "))"
    }
}
