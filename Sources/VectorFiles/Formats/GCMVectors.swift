import EnvelopeFormat

/// NIST CAVP's `.rsp` files of AES-GCM, encryption and decryption alike: what must be refused says `FAIL`.
enum GCMVectors: VectorFormat {
    static func recognizes(_ file: VectorFile) -> Bool {
        file.names.isSuperset(of: ["keylen", "ivlen", "ptlen", "aadlen", "taglen", "count", "key", "iv", "ct", "tag"])
    }

    static func judge(_ file: VectorFile) throws(FormatError) -> VectorTally {
        var tally = VectorTally("NIST CAVP AES-GCM")
        try VectorRecord.forEach(in: file.bytes) { (record) throws(FormatError) in
            try tally.count(name(of: record)) { try judge(record) }
        }
        return tally
    }

    private static func judge(_ record: VectorRecord) throws -> VectorOutcome {
        func field(_ name: String, _ length: String) throws(FormatError) -> [UInt8] {
            let bytes = try record.bytes(name)
            guard bytes.count * 8 == (try record.number(length)) else {
                throw FormatError(field: name, reason: "\(bytes.count * 8) bits where \(length) says another number")
            }
            return bytes
        }
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
